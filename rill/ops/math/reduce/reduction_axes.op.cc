#include "rill/ops/math/reduce/reduction_axes.h"

#include "rill/base/error.h"

namespace rill {

std::vector<bool> reduced_dims(std::span<const std::int64_t> axes, int rank) {
  std::vector<bool> reduced(static_cast<std::size_t>(rank), false);
  for (const std::int64_t axis : axes) {
    require(axis >= -rank && axis < rank, "Invalid reduction dimension ", axis, " for input with ",
            rank, " dimensions.");
    const auto i = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    require(!reduced[i], "Invalid reduction arguments: Axes contains duplicate dimension: ", i);
    reduced[i] = true;
  }
  return reduced;
}

std::vector<bool> reduced_dims(const Tensor& axes, int rank) {
  std::vector<std::int64_t> values;
  if (axes.dtype() == DType::i64) {
    values.assign(axes.flat<std::int64_t>().begin(), axes.flat<std::int64_t>().end());
  } else {
    values.assign(axes.flat<std::int32_t>().begin(), axes.flat<std::int32_t>().end());
  }
  return reduced_dims(values, rank);
}

}  // namespace rill
