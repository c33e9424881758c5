#pragma once

#include <span>
#include <vector>

#include "rill/base/error.h"
#include "rill/tensor/shape.h"

namespace rill {

// Which dimensions reductions of sparse tensors reduce. Unlike in dense reductions an axis may be
// named twice. Throws InvalidArgument for an axis that is out of range.
inline std::vector<bool> sparse_reduced(std::span<const std::int64_t> axes, int rank) {
  std::vector<bool> reduced(static_cast<std::size_t>(rank));
  for (const std::int64_t axis : axes) {
    require(axis >= -rank && axis < rank, "Invalid reduction dimension ", axis, ", for input with ",
            rank, " dimensions.");
    reduced[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = true;
  }
  return reduced;
}

// What is left of the dimensions.
inline Dims dims_left(const Dims& dims, const std::vector<bool>& reduced, bool keep_dims) {
  Dims left;
  for (int d = 0; d < dims.size(); ++d) {
    const bool gone = reduced[static_cast<std::size_t>(d)];
    if (!gone || keep_dims) left.push_back(gone ? 1 : dims[d]);
  }
  return left;
}

}  // namespace rill
