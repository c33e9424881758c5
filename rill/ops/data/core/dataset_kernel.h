#pragma once

#include "rill/kernel/kernel_entries.h"
#include "rill/ops/data/core/dataset.h"
#include "rill/ops/data/core/pipeline.h"

namespace rill {

// What kernels of ops that make datasets share.

DatasetRef dataset_input(const KernelCall& call, int i);
// A scalar input; `what` names it in errors.
template <class T>
const T& scalar_input(const KernelCall& call, int i, const char* what) {
  const Tensor& tensor = call.input_tensor(i);
  require(tensor.rank() == 0, what, " must be a scalar, not of shape ", tensor.shape());
  return tensor.scalar_value<T>();
}
// What the node states in output_types and output_shapes.
ElementSpec stated_spec(const KernelNode& node);
// The function that attribute `name` names, with inputs first .. first + count - 1 as captured.
FunctionSource function_input(const KernelCall& call, const char* name, int first, int count);
// How many inputs belong to the list of types in attribute `name`.
int list_length(const KernelNode& node, const char* name);

// Makes an element the node's outputs; they must be as many and of the types it states.
void give_element(const KernelCall& call, Element& element);
// The same, or OutOfRange at the end of a sequence.
void give_element_or_end(KernelCall& call, Element& element, bool ended);

// The same kernel for every type of device: all but the elements of GetNext is the host's.
constexpr KernelEntry on_any_device(KernelEntry entry, const char* host_memory = nullptr) {
  entry.any_device = true;
  entry.host_memory = host_memory;
  return entry;
}
// The memory of the kernel's device, where that is not the host's.
Allocator* device_memory(const KernelCall& call);

using MakeDataset = std::shared_ptr<Dataset> (*)(KernelCall&);
void give_dataset(KernelCall& call, std::shared_ptr<Dataset> dataset);

// The kernel of an op whose output is what `make` returns.
template <MakeDataset make>
constexpr KernelEntry dataset_kernel(const OpDecl& op) {
  return quick_kernel(op, [](KernelCall& call) { give_dataset(call, make(call)); });
}

}  // namespace rill
