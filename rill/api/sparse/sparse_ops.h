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
  std::string name = {};
};

struct PlaceholderOptions {
  std::string name = {};
  Output shape_tensor{};  // in place of `shape`: a vector of int64
};
// A sparse tensor that is fed to every run; what of `shape` is not known may be -1.
SparseTensor placeholder(DType dtype, const std::optional<std::vector<std::int64_t>>& shape = {},
                         const PlaceholderOptions& options = {},
                         std::source_location at = std::source_location::current());

struct ToDenseOptions {
  OptionalInput default_value = {};  // zero
  bool validate_indices = true;
  std::string name = {};
};
// Indices must be in order and without repetitions unless validate_indices is false; the step fails
// otherwise. reorder() sorts them.
Output to_dense(const SparseTensor& input, const ToDenseOptions& options = {},
                std::source_location at = std::source_location::current());
// What of `tensor` is not zero.
SparseTensor from_dense(const Input& tensor, const NamedOptions& options = {},
                        std::source_location at = std::source_location::current());

// The elements in the order of their indices.
SparseTensor reorder(const SparseTensor& input, const NamedOptions& options = {},
                     std::source_location at = std::source_location::current());
// One dimension of `shape` may be -1. Throws InvalidArgument where the number of elements is known
// to differ.
SparseTensor reshape(const SparseTensor& input, const Input& shape,
                     const NamedOptions& options = {},
                     std::source_location at = std::source_location::current());

struct TransposeOptions {
  OptionalInput perm = {};  // the dimensions in reverse order
  std::string name = {};
};
SparseTensor transpose(const SparseTensor& input, const TransposeOptions& options = {},
                       std::source_location at = std::source_location::current());

struct ConcatOptions {
  bool expand_nonconcat_dim = false;  // other dimensions may differ
  std::string name = {};
};
// Their ranks must agree, and other dimensions unless expand_nonconcat_dim.
SparseTensor concat(std::int64_t axis, const std::vector<SparseTensor>& inputs,
                    const ConcatOptions& options = {},
                    std::source_location at = std::source_location::current());
// num_split parts as equal as they can be: where the size does not divide, the first ones have one
// more.
std::vector<SparseTensor> split(const SparseTensor& input, std::int64_t num_split,
                                const Input& axis, const NamedOptions& options = {},
                                std::source_location at = std::source_location::current());
// Sizes that reach beyond the end are cut off.
SparseTensor slice(const SparseTensor& input, const Input& start, const Input& size,
                   const NamedOptions& options = {},
                   std::source_location at = std::source_location::current());

// a + b; sums whose absolute value is below `threshold` are left out. At 0 all stay, explicit zeros
// too.
SparseTensor add(const SparseTensor& a, const SparseTensor& b, const Input& threshold = 0,
                 std::source_location at = std::source_location::current());
Output add(const SparseTensor& a, const Input& b,
           std::source_location at = std::source_location::current());
// Elements that only one of them keeps are compared with zero.
SparseTensor maximum(const SparseTensor& a, const SparseTensor& b, const NamedOptions& options = {},
                     std::source_location at = std::source_location::current());
SparseTensor minimum(const SparseTensor& a, const SparseTensor& b, const NamedOptions& options = {},
                     std::source_location at = std::source_location::current());

struct MatmulOptions {
  bool adjoint_a = false, adjoint_b = false;
  std::string name = {};
};
// A sparse matrix times a dense one. It is not sparse, and pays where few elements are kept.
Output matmul(const SparseTensor& a, const Input& b, const MatmulOptions& options = {},
              std::source_location at = std::source_location::current());

struct ReduceOptions {
  OptionalInput axis = {};  // all
  bool keepdims = false;
};
// Only the elements that are kept count: reduce_max of kept negative numbers is negative though
// zeros stand beside them.
Output reduce_sum(const SparseTensor& input, const ReduceOptions& options = {},
                  std::source_location at = std::source_location::current());
Output reduce_max(const SparseTensor& input, const ReduceOptions& options = {},
                  std::source_location at = std::source_location::current());
// The same as sparse tensors.
SparseTensor reduce_sum_sparse(const SparseTensor& input, const ReduceOptions& options = {},
                               std::source_location at = std::source_location::current());
SparseTensor reduce_max_sparse(const SparseTensor& input, const ReduceOptions& options = {},
                               std::source_location at = std::source_location::current());

// The elements whose place in `to_retain`, a vector of truth values, is true. The shape stays.
// Throws InvalidArgument where lengths are known to differ.
SparseTensor retain(const SparseTensor& input, const Input& to_retain,
                    std::source_location at = std::source_location::current());
// The rows of `a` that are not among `mask_indices`.
IndexedSlices mask(const IndexedSlices& a, const Input& mask_indices,
                   const NamedOptions& options = {},
                   std::source_location at = std::source_location::current());
// With `default_value` at column 0 of rows that have no element; and which these are. For matrices.
std::pair<SparseTensor, Output> fill_empty_rows(
    const SparseTensor& input, const Input& default_value, const NamedOptions& options = {},
    std::source_location at = std::source_location::current());
// In a larger shape, or in the smallest that holds all elements. Throws InvalidArgument for one
// that is smaller, Unimplemented where the own shape is not known.
SparseTensor reset_shape(const SparseTensor& input, const OptionalInput& new_shape = {},
                         std::source_location at = std::source_location::current());
// Over the last dimension, of the elements that are kept: missing ones count as minus infinity.
SparseTensor softmax(const SparseTensor& input, const NamedOptions& options = {},
                     std::source_location at = std::source_location::current());

struct MergeOptions {
  bool already_sorted = false;
  std::string name = {};
};
// The values of the last dimension, at the places that ids name.
SparseTensor merge(const std::vector<SparseTensor>& ids, const SparseTensor& values,
                   const Inputs& vocab_sizes, const MergeOptions& options = {},
                   std::source_location at = std::source_location::current());
// True at the ids of each row.
Output to_indicator(const SparseTensor& input, const Input& vocab_size,
                    const NamedOptions& options = {},
                    std::source_location at = std::source_location::current());

struct ExpandDimsOptions {
  OptionalInput axis = {};  // the last
  std::string name = {};
};
// A new dimension of size 1.
SparseTensor expand_dims(const SparseTensor& input, const ExpandDimsOptions& options = {},
                         std::source_location at = std::source_location::current());

struct EyeOptions {
  OptionalInput num_columns = {};
  DType dtype = DType::f32;
  std::string name = {};
};
// Ones on the diagonal; square where num_columns is absent.
SparseTensor eye(const Input& num_rows, const EyeOptions& options = {},
                 std::source_location at = std::source_location::current());

using CrossInput = std::variant<SparseTensor, Output>;
// For each row every choice of one element of each input, as strings joined by "_X_". Inputs are
// sparse matrices or dense ones, of strings or integers.
SparseTensor cross(const std::vector<CrossInput>& inputs, const NamedOptions& options = {},
                   std::source_location at = std::source_location::current());
// num_buckets 0: the hash itself.
struct CrossHashedOptions {
  std::int64_t num_buckets = 0;
  std::int64_t hash_key = 0;  // 0: TensorFlow's own
  std::string name = {};
};
SparseTensor cross_hashed(const std::vector<CrossInput>& inputs,
                          const CrossHashedOptions& options = {},
                          std::source_location at = std::source_location::current());

}  // namespace rill::sparse
