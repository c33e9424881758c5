#pragma once

#include "rill/api/sparse/sparse_tensor.h"

namespace rill {

// A sparse tensor times, or divided by, a dense one that broadcasts to its shape: only the elements
// that are kept count. Integers are divided as floats.
SparseTensor operator*(const SparseTensor& sparse, const Input& dense);
SparseTensor operator*(Output dense, const SparseTensor& sparse);
SparseTensor operator/(const SparseTensor& sparse, const Input& dense);

}  // namespace rill
