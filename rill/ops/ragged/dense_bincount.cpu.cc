#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/math/rows/numeric.h"

namespace rill {

extern const OpDecl kDenseBincount;

namespace {

template <class T>
void dense_bincount(KernelCall& call) {
  const Tensor &numbers = call.input_tensor(0), &weights = call.input_tensor(2);
  require(weights.element_count() == 0 || weights.shape() == numbers.shape(),
          "`weights` must be the same shape as `arr` or a length-0 `Tensor`, in which case it acts "
          "as all weights equal to 1. Received ",
          weights.shape());
  const bool binary = call.node().attr<bool>("binary_output");
  const auto bins = call.output<T>(0);
  std::ranges::fill(bins, T{0});
  const Shape& shape = call.output_tensor(0).shape();
  const std::int64_t size = shape.dim(shape.rank() - 1);
  const std::int64_t per_row = numbers.rank() == 2 ? numbers.dim(1) : numbers.element_count();
  for (std::int64_t i = 0; i < numbers.element_count(); ++i) {
    const std::int64_t number = int_at(numbers, i);
    require(number >= 0, "Input arr must be non-negative!");
    if (number >= size) continue;
    T& bin = bins[static_cast<std::size_t>(i / per_row * size + number)];
    const T weight = weights.element_count() == 0 ? T{1} : weights.data<T>()[i];
    bin = binary ? T{1} : wrapping_add(bin, weight);
  }
}

// By the type of the weights, the second of the op's types.
constexpr KernelEntry kEntries[] = {
    {.op = &kDenseBincount, .run = dense_bincount<std::int32_t>, .types2 = DType::i32},
    {.op = &kDenseBincount, .run = dense_bincount<std::int64_t>, .types2 = DType::i64},
    {.op = &kDenseBincount, .run = dense_bincount<float>, .types2 = DType::f32},
    {.op = &kDenseBincount, .run = dense_bincount<double>, .types2 = DType::f64},
};

}  // namespace

extern const KernelTable kDenseBincountCpu{kEntries};

}  // namespace rill
