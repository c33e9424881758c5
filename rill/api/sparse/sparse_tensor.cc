#include "rill/api/sparse/sparse_tensor.h"

#include "rill/api/core/texts.h"

namespace rill {
namespace {

void require_rank(const Output& part, int rank) {
  const PartialShape& shape = part.shape();
  require(!shape.has_rank() || shape.rank() == rank, "Shape ", shape_text(shape),
          " must have rank ", rank);
}

void require_same_size(const Output& a, int a_axis, const Output& b, int b_axis) {
  if (!a.shape().has_rank() || !b.shape().has_rank()) return;
  const std::int64_t x = a.shape()[a_axis], y = b.shape()[b_axis];
  require(x < 0 || y < 0 || x == y, "Dimensions ", x, " and ", y, " are not compatible");
}

}  // namespace

SparseTensor::SparseTensor(const Input& indices, const Input& values, const Input& dense_shape,
                           std::source_location at) {
  const Block in("", "SparseTensor", at);
  this->indices = as_tensor(indices, "indices", DType::i64);
  this->values = as_tensor(values, "values");
  this->dense_shape = as_tensor(dense_shape, "dense_shape", DType::i64);
  require_rank(this->indices, 2);
  require_rank(this->values, 1);
  require_rank(this->dense_shape, 1);
  require_same_size(this->indices, 0, this->values, 0);
  require_same_size(this->indices, 1, this->dense_shape, 0);
}

SparseTensor::SparseTensor(const SparseTensorValue& value, std::source_location at)
    : SparseTensor(value.indices, value.values, value.dense_shape, at) {}

PartialShape SparseTensor::shape() const { return constant_shape_value(dense_shape).merged(hint); }

}  // namespace rill
