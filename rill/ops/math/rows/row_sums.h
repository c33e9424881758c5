#pragma once

#include <cstddef>
#include <cstdint>

#include "rill/tensor/dtype.h"

namespace rill {

// Sums of several rows of floats or doubles at once; every instruction set adds in the same order.
struct RowSums {
  // out[i] = inputs[0][i] + inputs[1][i] + ..., from the left. `out` may be one of the inputs.
  void (*add_all)(void* out, const void* const* inputs, std::size_t count, std::size_t n) = nullptr;
  // Row ids[i] of `to` += row i of `from`, in the order of i, for columns [0, n) of rows that are
  // `width` elements apart. Negative ids are left out.
  void (*add_at_32)(void* to, const void* from, const std::int32_t* ids, std::size_t count,
                    std::size_t width, std::size_t n) = nullptr;
  void (*add_at_64)(void* to, const void* from, const std::int64_t* ids, std::size_t count,
                    std::size_t width, std::size_t n) = nullptr;
};

// All null for other types.
RowSums find_row_sums(DType type);

}  // namespace rill
