#include "rill/api/sparse/sparse_operators.h"

#include "rill/api/core/division.h"
#include "rill/api/gen/sparse.h"
#include "rill/graph/builders.h"

namespace rill {

SparseTensor operator*(const SparseTensor& sparse, const Input& dense) {
  const Block in("", "mul", std::source_location::current());
  const Output other = as_tensor(dense, "y", sparse.dtype());
  const Output values = raw::SparseDenseCwiseMul(sparse.indices, sparse.values, sparse.dense_shape,
                                                 other, {.name = in.own_name()});
  return {sparse.indices, values, sparse.dense_shape};
}

SparseTensor operator*(Output dense, const SparseTensor& sparse) { return sparse * dense; }

SparseTensor operator/(const SparseTensor& sparse, const Input& dense) {
  const Block in("", "truediv", std::source_location::current());
  Output other = as_tensor(dense, "y", sparse.dtype());
  Output own = sparse.values;
  if (const DType wide = division_type(sparse.dtype()); wide != DType::invalid) {
    own = cast(current_scope(), own, wide);
    other = cast(current_scope(), other, wide);
  }
  const Output values = raw::SparseDenseCwiseDiv(sparse.indices, own, sparse.dense_shape, other,
                                                 {.name = in.own_name()});
  return {sparse.indices, values, sparse.dense_shape};
}

}  // namespace rill
