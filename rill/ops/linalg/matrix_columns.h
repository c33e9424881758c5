#pragma once

#include "rill/graph/gradient_parts.h"

namespace rill {

// Columns [begin, end) of matrices.
inline Output matrix_columns(GradCtx& g, Output x, std::int64_t begin, std::int64_t end) {
  const auto of_last = [](std::int64_t i) {
    return Tensor::vector<std::int32_t>({0, static_cast<std::int32_t>(i)});
  };
  return g.add("StridedSlice",
               {x, of_last(begin), of_last(end), Tensor::vector<std::int32_t>({1, 1})},
               {{"ellipsis_mask", std::int64_t{1}}}, "strided_slice");
}

}  // namespace rill
