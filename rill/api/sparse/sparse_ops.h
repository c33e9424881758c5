#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rill/api/sparse/sparse_tensor.h"
#include "rill/graph/grad_ctx.h"

// tf.sparse: functions on sparse tensors. Each throws InvalidArgument where shapes do not fit.
namespace rill::sparse {

struct NamedOptions {
  std::string name;
};

struct PlaceholderOptions {
  std::string name;
};
// A sparse tensor that is fed to every run; what of `shape` is not known may be -1.
SparseTensor placeholder(DType dtype, const std::optional<std::vector<std::int64_t>>& shape = {},
                         const PlaceholderOptions& options = {},
                         std::source_location at = std::source_location::current());

struct ToDenseOptions {
  std::optional<Input> default_value;  // zero
  bool validate_indices = true;
  std::string name;
};
Output to_dense(const SparseTensor& input, const ToDenseOptions& options = {},
                std::source_location at = std::source_location::current());
// What of `tensor` is not zero.
SparseTensor from_dense(const Input& tensor, const NamedOptions& options = {},
                        std::source_location at = std::source_location::current());

// The elements in the order of their indices.
SparseTensor reorder(const SparseTensor& input, const NamedOptions& options = {},
                     std::source_location at = std::source_location::current());
SparseTensor reshape(const SparseTensor& input, const Input& shape,
                     const NamedOptions& options = {},
                     std::source_location at = std::source_location::current());

struct TransposeOptions {
  std::optional<Input> perm;  // the dimensions in reverse order
  std::string name;
};
SparseTensor transpose(const SparseTensor& input, const TransposeOptions& options = {},
                       std::source_location at = std::source_location::current());

struct ConcatOptions {
  bool expand_nonconcat_dim = false;  // other dimensions may differ
  std::string name;
};
SparseTensor concat(std::int64_t axis, const std::vector<SparseTensor>& inputs,
                    const ConcatOptions& options = {},
                    std::source_location at = std::source_location::current());
std::vector<SparseTensor> split(const SparseTensor& input, std::int64_t num_split,
                                const Input& axis, const NamedOptions& options = {},
                                std::source_location at = std::source_location::current());
SparseTensor slice(const SparseTensor& input, const Input& start, const Input& size,
                   const NamedOptions& options = {},
                   std::source_location at = std::source_location::current());

// a + b; sums not larger than `threshold` are left out.
SparseTensor add(const SparseTensor& a, const SparseTensor& b, const Input& threshold = 0,
                 std::source_location at = std::source_location::current());
Output add(const SparseTensor& a, const Input& b,
           std::source_location at = std::source_location::current());
SparseTensor maximum(const SparseTensor& a, const SparseTensor& b, const NamedOptions& options = {},
                     std::source_location at = std::source_location::current());
SparseTensor minimum(const SparseTensor& a, const SparseTensor& b, const NamedOptions& options = {},
                     std::source_location at = std::source_location::current());

struct MatmulOptions {
  bool adjoint_a = false, adjoint_b = false;
  std::string name;
};
Output matmul(const SparseTensor& a, const Input& b, const MatmulOptions& options = {},
              std::source_location at = std::source_location::current());

struct ReduceOptions {
  std::optional<Input> axis;  // all
  bool keepdims = false;
};
Output reduce_sum(const SparseTensor& input, const ReduceOptions& options = {},
                  std::source_location at = std::source_location::current());
Output reduce_max(const SparseTensor& input, const ReduceOptions& options = {},
                  std::source_location at = std::source_location::current());
SparseTensor reduce_sum_sparse(const SparseTensor& input, const ReduceOptions& options = {},
                               std::source_location at = std::source_location::current());
SparseTensor reduce_max_sparse(const SparseTensor& input, const ReduceOptions& options = {},
                               std::source_location at = std::source_location::current());

// The elements whose place in `to_retain` is true.
SparseTensor retain(const SparseTensor& input, const Input& to_retain,
                    std::source_location at = std::source_location::current());
// The rows of `a` that are not among `mask_indices`.
IndexedSlices mask(const IndexedSlices& a, const Input& mask_indices,
                   const NamedOptions& options = {},
                   std::source_location at = std::source_location::current());
// With `default_value` in rows that have no element; and which these are.
std::pair<SparseTensor, Output> fill_empty_rows(
    const SparseTensor& input, const Input& default_value, const NamedOptions& options = {},
    std::source_location at = std::source_location::current());
// In a larger shape, or in the smallest that holds all elements.
SparseTensor reset_shape(const SparseTensor& input, const std::optional<Input>& new_shape = {},
                         std::source_location at = std::source_location::current());
SparseTensor softmax(const SparseTensor& input, const NamedOptions& options = {},
                     std::source_location at = std::source_location::current());

struct MergeOptions {
  bool already_sorted = false;
  std::string name;
};
// The values of the last dimension, at the places that ids name.
SparseTensor merge(const std::vector<SparseTensor>& ids, const SparseTensor& values,
                   const std::vector<Input>& vocab_sizes, const MergeOptions& options = {},
                   std::source_location at = std::source_location::current());
// True at the ids of each row.
Output to_indicator(const SparseTensor& input, const Input& vocab_size,
                    const NamedOptions& options = {},
                    std::source_location at = std::source_location::current());

struct ExpandDimsOptions {
  std::optional<Input> axis;  // the last
  std::string name;
};
SparseTensor expand_dims(const SparseTensor& input, const ExpandDimsOptions& options = {},
                         std::source_location at = std::source_location::current());

struct EyeOptions {
  std::optional<Input> num_columns;
  DType dtype = DType::f32;
  std::string name;
};
SparseTensor eye(const Input& num_rows, const EyeOptions& options = {},
                 std::source_location at = std::source_location::current());

using CrossInput = std::variant<SparseTensor, Output>;
// For each row every choice of one element of each input, as joined strings.
SparseTensor cross(const std::vector<CrossInput>& inputs, const NamedOptions& options = {},
                   std::source_location at = std::source_location::current());
struct CrossHashedOptions {
  std::int64_t num_buckets = 0;
  std::int64_t hash_key = 0;  // 0: TensorFlow's own
  std::string name;
};
SparseTensor cross_hashed(const std::vector<CrossInput>& inputs,
                          const CrossHashedOptions& options = {},
                          std::source_location at = std::source_location::current());

}  // namespace rill::sparse
