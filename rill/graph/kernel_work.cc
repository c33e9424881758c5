#include "rill/graph/kernel_work.h"

#include "rill/graph/registry.h"

namespace rill {

const TensorSize& KernelWork::input(std::size_t i) const {
  static const TensorSize kUnknown{};
  return i < inputs.size() ? inputs[i] : kUnknown;
}

double KernelWork::largest_input() const { return largest_tensor(inputs).elements(); }

bool KernelWork::flag(std::string_view name) const {
  const bool* const value = attr<bool>(name);
  return value != nullptr && *value;
}

std::size_t KernelWork::count(std::string_view name) const {
  const auto* const value = attr<std::int64_t>(name);
  return value == nullptr ? 0 : static_cast<std::size_t>(std::max<std::int64_t>(0, *value));
}

const TensorSize& largest_tensor(std::span<const TensorSize> tensors) {
  static const TensorSize kNone{DType::invalid, Shape({0})};
  const TensorSize* most = &kNone;
  for (const TensorSize& one : tensors)
    if (one.dtype != DType::invalid && one.elements() >= most->elements()) most = &one;
  return *most;
}

double flops_of(const KernelWork& work) {
  return work.op == nullptr || work.op->cost == nullptr ? kSimple * work.output_elements()
                                                        : work.op->cost(work);
}

double flops_of_part(const KernelWork& whole, std::string_view op, const TensorSize& size) {
  const TensorSize one[] = {size};
  return flops_of({whole.ops.find(op), whole.attrs, one, one, whole.ops});
}

double no_flops(const KernelWork&) { return 0; }

}  // namespace rill
