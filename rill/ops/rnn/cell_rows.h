#pragma once

#include <algorithm>

#include "rill/base/subscript.h"
#include "rill/ops/rnn/cell_product.h"
#include "rill/ops/rnn/recurrent_rows.h"

namespace rill {

// Inputs [0, count) side by side: a copy unless there is one.
inline Tensor joined(const KernelCall& call, int count) {
  if (count == 1) return call.input_tensor(0);
  std::int64_t width = 0, column = 0;
  for (int i = 0; i < count; ++i) width += call.input_tensor(i).dim(1);
  const std::int64_t rows = call.input_tensor(0).dim(0);
  Tensor all(DType::f32, {rows, width});
  for (int i = 0; i < count; ++i) {
    const std::int64_t own = call.input_tensor(i).dim(1);
    const float* from = call.input_tensor(i).data<float>();
    float* to = all.data<float>() + column;
    for (std::int64_t r = 0; r < rows; ++r) std::copy_n(from + r * own, own, to + r * width);
    column += own;
  }
  return all;
}

template <class Body>
void for_rows(const KernelCall& call, std::int64_t rows, std::int64_t gates, Body body) {
  const double nanos = 20 + 3.0 * static_cast<double>(gates);
  call.parallel_for(at(rows), nanos, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) body(static_cast<std::int64_t>(row));
  });
}

}  // namespace rill
