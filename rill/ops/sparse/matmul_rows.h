#pragma once

#include <cstddef>
#include <cstdint>

#include "rill/tensor/dtype.h"

namespace rill {

// One row of a product: the sum of values[i] times row columns[i * apart] of a dense matrix, in
// order.
struct SparseRow {
  const std::int64_t* columns;
  std::int64_t apart;
  const void* values;
  std::int64_t count;
};

// Writes `width` elements of the sum to `out`; row k of the dense matrix begins `stride` * k
// elements behind `dense`.
using SparseRowFn = void (*)(void* out, const SparseRow& row, const void* dense,
                             std::int64_t stride, std::int64_t width);

// For float, double, int32, complex64 and complex128; nullptr for other types.
SparseRowFn sparse_row_product(DType dtype);

}  // namespace rill
