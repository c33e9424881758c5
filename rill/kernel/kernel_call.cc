#include "rill/kernel/kernel_call.h"

#include <algorithm>

#include "rill/kernel/output_memory.h"

namespace rill {

constinit thread_local OutputMemory* OutputMemory::current_ = nullptr;

namespace {

constexpr double kRangeNanos = 20'000;  // a range worth handing to another thread

// What only makes new values may end in the middle, when nobody waits for them any more; a variable
// would be left half written.
bool may_end_early(const Op& op) { return op.has(kPure) || op.has(kNoLastingEffect); }

}  // namespace

const std::shared_ptr<VariableResource>& KernelCall::ref_input(int i) const {
  const auto& ref = inputs_[check_input(i)]->ref;
  if (ref == nullptr) raise(Code::kInternal, "input ", i, " is not a reference");
  return ref;
}

Tensor& KernelCall::allocate_output(int i, Shape shape) const {
  Tensor& output = output_tensor(i);
  output = Tensor(base_type(node_.output_type(i)), std::move(shape), OutputMemory::of(node_, i));
  return output;
}

std::shared_ptr<Resource> KernelCall::resource_input(int i) const {
  const auto& handle = input_tensor(i).scalar_value<ResourceHandle>();
  if (handle.resource != nullptr) return handle.resource;
  auto resource = step_.resources->find(handle.container, handle.type_name, handle.name);
  if (resource == nullptr)
    raise(Code::kNotFound, "Resource ", handle.container, "/", handle.name, "/", handle.type_name,
          " does not exist.");
  return resource;
}

void KernelCall::parallel_for(std::size_t total, double cost,
                              FunctionRef<void(std::size_t, std::size_t)> body) const {
  const double items = kRangeNanos / std::max(cost, 1e-3);
  const auto grain = static_cast<std::size_t>(std::clamp(items, 1.0, 1e15));
  if (total <= grain + grain / 2) {
    if (total > 0) body(0, total);
    return;
  }
  const Cancellation* const cancellation = may_end_early(*node_.op) ? step_.cancellation : nullptr;
  if (cancellation == nullptr) return device().pool().parallel_for(total, grain, body);
  device().pool().parallel_for(total, grain, [&](std::size_t begin, std::size_t end) {
    if (cancellation->cancelled()) raise(Code::kCancelled, "The step was cancelled");
    body(begin, end);
  });
}

void KernelCall::bad_index(const char* what, int i) const {
  raise(Code::kInternal, "kernel of ", node_.op->name, " asked for ", what, " ", i,
        ", which it does not have");
}

}  // namespace rill
