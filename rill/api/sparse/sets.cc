#include "rill/api/sparse/sets.h"

#include <string_view>

#include "rill/api/gen/set.h"

namespace rill::sets {
namespace {

constexpr TypeSet kSetTypes =
    DType::i8 | DType::i16 | DType::i32 | DType::i64 | DType::u8 | DType::u16 | DType::string;

void check_type(DType type, std::string_view name) {
  require_type(kSetTypes.contains(base_type(type)), "'", name, "' has a dtype, ",
               numpy_name(base_type(type)), ", that sets do not have");
}

template <class Made>
SparseTensor result_of(const Made& made) {
  return {made.result_indices, made.result_values, made.result_shape};
}

std::string flipped(const std::string& operation) {
  if (operation == "a-b") return "b-a";
  return operation == "b-a" ? "a-b" : operation;
}

SparseTensor combine(const SetInput& a, const SetInput& b, const std::string& operation,
                     bool validate, std::source_location at) {
  const MadeAt place(at);
  const auto* sparse_a = std::get_if<SparseTensor>(&a);
  const auto* sparse_b = std::get_if<SparseTensor>(&b);
  const Output dense_a = sparse_a ? Output() : as_tensor(std::get<Input>(a), "a");
  const DType type = sparse_a ? sparse_a->dtype() : base_type(dense_a.dtype());
  check_type(type, "a");
  const Output dense_b = sparse_b ? Output() : as_tensor(std::get<Input>(b), "b");
  require_type((sparse_b ? sparse_b->dtype() : base_type(dense_b.dtype())) == type,
               "Types don't match, ", numpy_name(type), " vs ",
               numpy_name(sparse_b ? sparse_b->dtype() : base_type(dense_b.dtype())), ".");
  if (sparse_a && sparse_b)
    return result_of(raw::SparseToSparseSetOperation(
        sparse_a->indices, sparse_a->values, sparse_a->dense_shape, sparse_b->indices,
        sparse_b->values, sparse_b->dense_shape, operation, {.validate_indices = validate}));
  if (!sparse_a && !sparse_b)
    return result_of(
        raw::DenseToDenseSetOperation(dense_a, dense_b, operation, {.validate_indices = validate}));
  const SparseTensor& sparse = sparse_a ? *sparse_a : *sparse_b;
  return result_of(raw::DenseToSparseSetOperation(
      sparse_a ? dense_b : dense_a, sparse.indices, sparse.values, sparse.dense_shape,
      sparse_a ? flipped(operation) : operation, {.validate_indices = validate}));
}

}  // namespace

SparseTensor intersection(const SetInput& a, const SetInput& b, const SetOptions& options,
                          std::source_location at) {
  return combine(a, b, "intersection", options.validate_indices, at);
}

SparseTensor difference(const SetInput& a, const SetInput& b, const SetOptions& options,
                        std::source_location at) {
  return combine(a, b, options.b_minus_a ? "b-a" : "a-b", options.validate_indices, at);
}

SparseTensor set_union(const SetInput& a, const SetInput& b, const SetOptions& options,
                       std::source_location at) {
  return combine(a, b, "union", options.validate_indices, at);
}

Output size(const SparseTensor& a, const SetOptions& options, std::source_location at) {
  check_type(a.dtype(), "a");
  return raw::SetSize(a.indices, a.values, a.dense_shape,
                      {.validate_indices = options.validate_indices}, at);
}

}  // namespace rill::sets
