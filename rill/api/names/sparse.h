#pragma once

#include <utility>

#include "rill/api/gen/sparse.h"
#include "rill/api/queue/accumulators.h"
#include "rill/api/sparse/sets.h"
#include "rill/api/sparse/sparse_ops.h"
#include "rill/api/sparse/sparse_tensor.h"

// The older names of tf.sparse, and of tf.sets and tf.ragged.
namespace rill {
inline SparseTensor sparse_add(const SparseTensor& a, const SparseTensor& b,
                               const Input& threshold = 0,
                               std::source_location at = std::source_location::current()) {
  return ::rill::sparse::add(a, b, threshold, at);
}
inline Output sparse_add(const SparseTensor& a, const Input& b,
                         std::source_location at = std::source_location::current()) {
  return ::rill::sparse::add(a, b, at);
}
inline SparseTensor sparse_concat(std::int64_t axis, const std::vector<SparseTensor>& inputs,
                                  const ::rill::sparse::ConcatOptions& options = {},
                                  std::source_location at = std::source_location::current()) {
  return ::rill::sparse::concat(axis, inputs, options, at);
}
inline std::pair<SparseTensor, Output> sparse_fill_empty_rows(
    const SparseTensor& input, const Input& default_value,
    const ::rill::sparse::NamedOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::sparse::fill_empty_rows(input, default_value, options, at);
}
inline IndexedSlices sparse_mask(const IndexedSlices& a, const Input& mask_indices,
                                 const ::rill::sparse::NamedOptions& options = {},
                                 std::source_location at = std::source_location::current()) {
  return ::rill::sparse::mask(a, mask_indices, options, at);
}
inline SparseTensor sparse_maximum(const SparseTensor& a, const SparseTensor& b,
                                   const ::rill::sparse::NamedOptions& options = {},
                                   std::source_location at = std::source_location::current()) {
  return ::rill::sparse::maximum(a, b, options, at);
}
inline SparseTensor sparse_merge(const std::vector<SparseTensor>& ids, const SparseTensor& values,
                                 const Inputs& vocab_sizes,
                                 const ::rill::sparse::MergeOptions& options = {},
                                 std::source_location at = std::source_location::current()) {
  return ::rill::sparse::merge(ids, values, vocab_sizes, options, at);
}
inline SparseTensor sparse_minimum(const SparseTensor& a, const SparseTensor& b,
                                   const ::rill::sparse::NamedOptions& options = {},
                                   std::source_location at = std::source_location::current()) {
  return ::rill::sparse::minimum(a, b, options, at);
}
inline SparseTensor sparse_placeholder(DType dtype,
                                       const std::optional<std::vector<std::int64_t>>& shape = {},
                                       const ::rill::sparse::PlaceholderOptions& options = {},
                                       std::source_location at = std::source_location::current()) {
  return ::rill::sparse::placeholder(dtype, shape, options, at);
}
inline Output sparse_reduce_max(const SparseTensor& input,
                                const ::rill::sparse::ReduceOptions& options = {},
                                std::source_location at = std::source_location::current()) {
  return ::rill::sparse::reduce_max(input, options, at);
}
inline SparseTensor sparse_reduce_max_sparse(
    const SparseTensor& input, const ::rill::sparse::ReduceOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::sparse::reduce_max_sparse(input, options, at);
}
inline Output sparse_reduce_sum(const SparseTensor& input,
                                const ::rill::sparse::ReduceOptions& options = {},
                                std::source_location at = std::source_location::current()) {
  return ::rill::sparse::reduce_sum(input, options, at);
}
inline SparseTensor sparse_reduce_sum_sparse(
    const SparseTensor& input, const ::rill::sparse::ReduceOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::sparse::reduce_sum_sparse(input, options, at);
}
inline SparseTensor sparse_reorder(const SparseTensor& input,
                                   const ::rill::sparse::NamedOptions& options = {},
                                   std::source_location at = std::source_location::current()) {
  return ::rill::sparse::reorder(input, options, at);
}
inline SparseTensor sparse_reset_shape(const SparseTensor& input,
                                       const OptionalInput& new_shape = {},
                                       std::source_location at = std::source_location::current()) {
  return ::rill::sparse::reset_shape(input, new_shape, at);
}
inline SparseTensor sparse_reshape(const SparseTensor& input, const Input& shape,
                                   const ::rill::sparse::NamedOptions& options = {},
                                   std::source_location at = std::source_location::current()) {
  return ::rill::sparse::reshape(input, shape, options, at);
}
inline SparseTensor sparse_retain(const SparseTensor& input, const Input& to_retain,
                                  std::source_location at = std::source_location::current()) {
  return ::rill::sparse::retain(input, to_retain, at);
}
inline SparseTensor sparse_slice(const SparseTensor& input, const Input& start, const Input& size,
                                 const ::rill::sparse::NamedOptions& options = {},
                                 std::source_location at = std::source_location::current()) {
  return ::rill::sparse::slice(input, start, size, options, at);
}
inline SparseTensor sparse_softmax(const SparseTensor& input,
                                   const ::rill::sparse::NamedOptions& options = {},
                                   std::source_location at = std::source_location::current()) {
  return ::rill::sparse::softmax(input, options, at);
}
inline std::vector<SparseTensor> sparse_split(
    const SparseTensor& input, std::int64_t num_split, const Input& axis,
    const ::rill::sparse::NamedOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::sparse::split(input, num_split, axis, options, at);
}
inline Output sparse_to_indicator(const SparseTensor& input, const Input& vocab_size,
                                  const ::rill::sparse::NamedOptions& options = {},
                                  std::source_location at = std::source_location::current()) {
  return ::rill::sparse::to_indicator(input, vocab_size, options, at);
}
inline SparseTensor sparse_transpose(const SparseTensor& input,
                                     const ::rill::sparse::TransposeOptions& options = {},
                                     std::source_location at = std::source_location::current()) {
  return ::rill::sparse::transpose(input, options, at);
}
inline Output sparse_tensor_to_dense(const SparseTensor& input,
                                     const ::rill::sparse::ToDenseOptions& options = {},
                                     std::source_location at = std::source_location::current()) {
  return ::rill::sparse::to_dense(input, options, at);
}
inline Output sparse_tensor_dense_matmul(
    const SparseTensor& a, const Input& b, const ::rill::sparse::MatmulOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return ::rill::sparse::matmul(a, b, options, at);
}
}  // namespace rill
namespace rill::sparse {
inline Output sparse_dense_matmul(const SparseTensor& a, const Input& b,
                                  const ::rill::sparse::MatmulOptions& options = {},
                                  std::source_location at = std::source_location::current()) {
  return ::rill::sparse::matmul(a, b, options, at);
}
using ::rill::SparseConditionalAccumulator;
using ::rill::SparseTensor;
}  // namespace rill::sparse
namespace rill::sets {
inline SparseTensor set_difference(const ::rill::sets::SetInput& a, const ::rill::sets::SetInput& b,
                                   const ::rill::sets::SetOptions& options = {},
                                   std::source_location at = std::source_location::current()) {
  return ::rill::sets::difference(a, b, options, at);
}
inline SparseTensor set_intersection(const ::rill::sets::SetInput& a,
                                     const ::rill::sets::SetInput& b,
                                     const ::rill::sets::SetOptions& options = {},
                                     std::source_location at = std::source_location::current()) {
  return ::rill::sets::intersection(a, b, options, at);
}
inline Output set_size(const SparseTensor& a, const ::rill::sets::SetOptions& options = {},
                       std::source_location at = std::source_location::current()) {
  return ::rill::sets::size(a, options, at);
}
inline SparseTensor union_(const ::rill::sets::SetInput& a, const ::rill::sets::SetInput& b,
                           const ::rill::sets::SetOptions& options = {},
                           std::source_location at = std::source_location::current()) {
  return ::rill::sets::set_union(a, b, options, at);
}
}  // namespace rill::sets
namespace rill {

struct SerializeSparseOptions {
  DType out_type = DType::string;
  std::string name{};
};
// A sparse tensor as a vector of three strings, and one such row for each example.
inline Output serialize_sparse(const SparseTensor& sp_input,
                               const SerializeSparseOptions& options = {},
                               std::source_location at = std::source_location::current()) {
  return raw::SerializeSparse(sp_input.indices, sp_input.values, sp_input.dense_shape,
                              {.out_type = options.out_type, .name = options.name}, at);
}
inline Output serialize_many_sparse(const SparseTensor& sp_input,
                                    const SerializeSparseOptions& options = {},
                                    std::source_location at = std::source_location::current()) {
  return raw::SerializeManySparse(sp_input.indices, sp_input.values, sp_input.dense_shape,
                                  {.out_type = options.out_type, .name = options.name}, at);
}
// The batch of sparse tensors that rows of serialize_many_sparse() describe.
inline SparseTensor deserialize_many_sparse(
    const Input& serialized_sparse, DType dtype, const std::string& name = {},
    std::source_location at = std::source_location::current()) {
  const auto parts = raw::DeserializeManySparse(serialized_sparse, dtype, {.name = name}, at);
  return {parts.sparse_indices, parts.sparse_values, parts.sparse_shape};
}
namespace io {
using ::rill::deserialize_many_sparse;
using ::rill::serialize_many_sparse;
using ::rill::serialize_sparse;
}  // namespace io
}  // namespace rill
