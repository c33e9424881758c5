#pragma once

#include "rill/api/gen/plain_ops.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/sparse/sparse_tensor.h"

// Functions that leave zeros zeros, of the elements of a sparse tensor that are kept.
namespace rill {
namespace sparse {

template <class Op>
SparseTensor map_values(Op&& op, SparseTensor x) {
  x.values = op(x.values);
  return x;
}

}  // namespace sparse

#define RILL_SPARSE_UNARY(function)                                                      \
  inline SparseTensor function(const SparseTensor& x) {                                  \
    return sparse::map_values([](const Output& values) { return function(values); }, x); \
  }

RILL_SPARSE_UNARY(abs)
RILL_SPARSE_UNARY(erf)
RILL_SPARSE_UNARY(negative)
RILL_SPARSE_UNARY(sign)
RILL_SPARSE_UNARY(sqrt)
RILL_SPARSE_UNARY(square)
RILL_SPARSE_UNARY(tanh)

namespace math {
RILL_SPARSE_UNARY(bessel_i0e)
RILL_SPARSE_UNARY(bessel_i1e)
}  // namespace math

#undef RILL_SPARSE_UNARY

}  // namespace rill
