#include <numeric>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/sparse.h"
#include "rill/api/sparse/sparse_ops.h"

namespace rill::sparse {
namespace {

DType real_type(DType type) {
  if (type == DType::c64) return DType::f32;
  return type == DType::c128 ? DType::f64 : type;
}

Input axes_of(const SparseTensor& input, const OptionalInput& axis) {
  if (axis) return *axis;
  const PartialShape& shape = input.dense_shape.shape();
  if (!shape.is_full()) return raw::Range(0, raw::Size(input.dense_shape), 1, {.name = "range"});
  std::vector<std::int64_t> all(static_cast<std::size_t>(shape[0]));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return as_tensor(parts::ints(all));
}

template <class Made>
SparseTensor from_outputs(const Made& made) {
  return {made.output_indices, made.output_values, made.output_shape};
}

}  // namespace

SparseTensor add(const SparseTensor& a, const SparseTensor& b, const Input& threshold,
                 std::source_location at) {
  const MadeAt place(at);
  const Output limit = as_tensor(threshold, "threshold", real_type(a.dtype()));
  const auto sum =
      raw::SparseAdd(a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, limit);
  const PartialShape known = broadcast(a.shape(), b.shape());
  const Input dims = known.is_full() ? Input(ShapeInput(known.full())) : Input(sum.sum_shape);
  return {sum.sum_indices, sum.sum_values, dims};
}

Output add(const SparseTensor& a, const Input& b, std::source_location at) {
  return raw::SparseTensorDenseAdd(a.indices, a.values, a.dense_shape, b, {}, at);
}

SparseTensor maximum(const SparseTensor& a, const SparseTensor& b, const NamedOptions& options,
                     std::source_location at) {
  const Block in(options.name, "SparseSparseMaximum", at);
  const auto made = raw::SparseSparseMaximum(a.indices, a.values, a.dense_shape, b.indices,
                                             b.values, b.dense_shape, {.name = in.own_name()});
  return {made.output_indices, made.output_values, a.dense_shape};
}

SparseTensor minimum(const SparseTensor& a, const SparseTensor& b, const NamedOptions& options,
                     std::source_location at) {
  const Block in(options.name, "SparseSparseMinimum", at);
  const auto made = raw::SparseSparseMinimum(a.indices, a.values, a.dense_shape, b.indices,
                                             b.values, b.dense_shape, {.name = in.own_name()});
  return {made.output_indices, made.output_values, a.dense_shape};
}

Output matmul(const SparseTensor& a, const Input& b, const MatmulOptions& options,
              std::source_location at) {
  const Block in(options.name, "SparseTensorDenseMatMul", at);
  const Output dense = as_tensor(b, "b");
  return raw::SparseTensorDenseMatMul(
      a.indices, a.values, a.dense_shape, dense,
      {.adjoint_a = options.adjoint_a, .adjoint_b = options.adjoint_b});
}

Output reduce_sum(const SparseTensor& input, const ReduceOptions& options,
                  std::source_location at) {
  const MadeAt place(at);
  const Input axes = axes_of(input, options.axis);
  return raw::SparseReduceSum(input.indices, input.values, input.dense_shape, axes,
                              {.keep_dims = options.keepdims});
}

Output reduce_max(const SparseTensor& input, const ReduceOptions& options,
                  std::source_location at) {
  const MadeAt place(at);
  const Input axes = axes_of(input, options.axis);
  return raw::SparseReduceMax(input.indices, input.values, input.dense_shape, axes,
                              {.keep_dims = options.keepdims});
}

SparseTensor reduce_sum_sparse(const SparseTensor& input, const ReduceOptions& options,
                               std::source_location at) {
  const MadeAt place(at);
  const Input axes = axes_of(input, options.axis);
  return from_outputs(raw::SparseReduceSumSparse(input.indices, input.values, input.dense_shape,
                                                 axes, {.keep_dims = options.keepdims}));
}

SparseTensor reduce_max_sparse(const SparseTensor& input, const ReduceOptions& options,
                               std::source_location at) {
  const MadeAt place(at);
  const Input axes = axes_of(input, options.axis);
  return from_outputs(raw::SparseReduceMaxSparse(input.indices, input.values, input.dense_shape,
                                                 axes, {.keep_dims = options.keepdims}));
}

SparseTensor softmax(const SparseTensor& input, const NamedOptions& options,
                     std::source_location at) {
  const Block in(options.name, "SparseSoftmax", at);
  const Output values = raw::SparseSoftmax(input.indices, input.values, input.dense_shape);
  return {input.indices, values, input.dense_shape};
}

namespace {

constexpr std::int64_t kDefaultHashKey = 0xDECAFCAFFE;

SparseTensor crossed(const std::vector<CrossInput>& inputs, bool hashed, std::int64_t buckets,
                     std::int64_t key, const std::string& name) {
  std::vector<Input> indices, values, shapes, dense;
  DType internal = DType::string;
  const auto as_feature = [&](Output x) {
    if (base_type(x.dtype()) == DType::string) return x;
    internal = DType::i64;
    return parts::cast_to(x, DType::i64);
  };
  for (const CrossInput& input : inputs)
    if (const auto* sparse = std::get_if<SparseTensor>(&input)) {
      indices.push_back(sparse->indices);
      values.push_back(as_feature(sparse->values));
      shapes.push_back(sparse->dense_shape);
    }
  for (const CrossInput& input : inputs)
    if (const auto* tensor = std::get_if<Output>(&input)) dense.push_back(as_feature(*tensor));
  return from_outputs(raw::SparseCross(
      indices, values, shapes, dense, hashed, buckets, key == 0 ? kDefaultHashKey : key,
      hashed ? DType::i64 : DType::string, internal, {.name = name}));
}

}  // namespace

SparseTensor cross(const std::vector<CrossInput>& inputs, const NamedOptions& options,
                   std::source_location at) {
  const MadeAt place(at);
  return crossed(inputs, false, 0, 0, options.name);
}

SparseTensor cross_hashed(const std::vector<CrossInput>& inputs, const CrossHashedOptions& options,
                          std::source_location at) {
  const MadeAt place(at);
  return crossed(inputs, true, options.num_buckets, options.hash_key, options.name);
}

}  // namespace rill::sparse
