#pragma once

#include "rill/tensor/tensor.h"

namespace rill {

// A tensor seen along one axis, as [outer][length][inner].
struct AxisExtent {
  AxisExtent(const Shape& shape, int axis) {
    for (int i = 0; i < shape.rank(); ++i)
      (i < axis ? outer : i == axis ? length : inner) *= shape.dim(i);
  }
  std::int64_t outer = 1, length = 1, inner = 1;
};

// The only element of an int32 or int64 tensor that names an axis; it may count from the end.
inline std::int64_t given_axis(const Tensor& axis) {
  return axis.dtype() == DType::i64 ? axis.scalar_value<std::int64_t>()
                                    : axis.scalar_value<std::int32_t>();
}

}  // namespace rill
