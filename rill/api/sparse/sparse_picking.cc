#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/sparse.h"
#include "rill/api/sparse/sparse_ops.h"
#include "rill/graph/whole_number.h"

namespace rill::sparse {

SparseTensor retain(const SparseTensor& input, const Input& to_retain, std::source_location at) {
  const MadeAt place(at);
  const Output kept = as_tensor(to_retain);
  require(!kept.shape().has_rank() || kept.shape().rank() == 1, "Shape ", kept.shape(),
          " must have rank 1");
  require(kept.shape().is_compatible(input.values.shape()), "Dimensions ", kept.shape(), " and ",
          input.values.shape(), " are not compatible");
  const Output places = raw::Reshape(where(kept), parts::ints({-1}));
  const Output indices = gather(input.indices, places);
  const Output values = gather(input.values, places);
  return {indices, values, raw::Identity(input.dense_shape)};
}

IndexedSlices mask(const IndexedSlices& a, const Input& mask_indices, const NamedOptions& options,
                   std::source_location at) {
  const Block in(options.name, "sparse_mask", at);
  const auto rest = raw::ListDiff(a.indices, mask_indices);
  const Output values = gather(a.values, rest.idx, {.name = in.own_name()});
  return {values, rest.out, a.dense_shape};
}

std::pair<SparseTensor, Output> fill_empty_rows(const SparseTensor& input,
                                                const Input& default_value,
                                                const NamedOptions& options,
                                                std::source_location at) {
  const Block in(options.name, "SparseFillEmptyRows", at);
  const Output otherwise = as_tensor(default_value, "Const", input.dtype());
  const auto made =
      raw::SparseFillEmptyRows(input.indices, input.values, input.dense_shape, otherwise);
  return {SparseTensor(made.output_indices, made.output_values, input.dense_shape),
          made.empty_row_indicator};
}

namespace {

// A shape that is at least as large as the input's, which is known.
Input checked_larger(const Tensor& wanted, const PartialShape& own) {
  const Shape shape = shape_of_value(wanted);
  for (int i = 0; i < own.rank() && i < shape.rank(); ++i)
    require(own[i] <= shape[i],
            "Requested new_shape should have dimension sizes >= sp_input.shape.  Found new_shape (",
            shape, "), sp_input.shape (", own, ").");
  return ShapeInput(shape);
}

// The same where only a step knows the values: it fails there.
Output checked_in_steps(Output wanted, Output own) {
  Node& same_rank = assert_equal(shape(own), shape(wanted));
  wanted = with_dependencies({&same_rank}, wanted);
  Node& larger = assert_less_equal(own, wanted);
  return with_dependencies({&larger}, wanted);
}

}  // namespace

SparseTensor reset_shape(const SparseTensor& input, const OptionalInput& new_shape,
                         std::source_location at) {
  const MadeAt place(at);
  const Output indices = raw::Identity(input.indices);
  const Output values = raw::Identity(input.values);
  const Output own = raw::Identity(input.dense_shape);
  if (!new_shape) {
    const Output largest = raw::Max(indices, 0);
    const Output zero = as_tensor(0, "Const", DType::i64);
    const Output sizes = raw::AddV2(largest, ones_like(own), {.name = "Add"});
    return {indices, values, raw::Maximum(zero, sizes)};
  }
  const Output given = as_tensor(*new_shape);
  require(!given.shape().has_rank() || given.shape().rank() == 1, "Shape ", given.shape(),
          " must have rank 1");
  const Output dims = parts::cast_to(given, DType::i64);
  if (!dims.shape().is_compatible(own.shape()))
    raise(Code::kInvalidArgument, "Dimensions ", dims.shape()[0], " and ", own.shape()[0],
          " are not compatible");
  const PartialShape known = input.shape();
  if (const Tensor* value = constant_value(dims); value != nullptr && known.is_full())
    return {indices, values, checked_larger(*value, known)};
  return {indices, values, checked_in_steps(dims, own)};
}

SparseTensor merge(const std::vector<SparseTensor>& ids, const SparseTensor& values,
                   const Inputs& vocab_sizes, const MergeOptions& options,
                   std::source_location at) {
  require(!ids.empty() && ids.size() == vocab_sizes.size(),
          "sp_ids and vocab_size have to have equal lengths.");
  const Block in(options.name, "SparseMerge", at);
  std::vector<Input> columns, sizes;
  for (const SparseTensor& id : ids) {
    const bool fits = id.dtype() == DType::i64;
    columns.push_back(
        rill::expand_dims(fits ? id.values : parts::cast_to(id.values, DType::i64), 1));
  }
  for (const Input& size : vocab_sizes) sizes.push_back(parts::cast_to(size, DType::i64));
  columns.insert(columns.begin(),
                 rill::slice(ids[0].indices, {SliceRange{}, SliceRange{.stop = -1}}));
  const Output indices = rill::concat(columns, 1);
  const Output before = parts::range_of(ids[0].dense_shape, {}, -1);
  const Output shape = rill::concat({before, parts::list_of(sizes)}, 0);
  const SparseTensor merged(indices, values.values, shape);
  if (options.already_sorted) return merged;
  const SparseTensor sorted = reorder(merged);
  return {sorted.indices, sorted.values, shape};
}

Output to_indicator(const SparseTensor& input, const Input& vocab_size, const NamedOptions& options,
                    std::source_location at) {
  const Block in(options.name, "SparseToIndicator", at);
  const Output count = parts::item(shape(input.indices), 0);
  const Output on = raw::Fill(rill::expand_dims(count, 0), true);
  const SparseTensor marks(input.indices, on, input.dense_shape);
  const SparseTensor merged = merge({input}, marks, {vocab_size}, {.name = in.own_name()});
  return to_dense(merged,
                  {.default_value = false, .validate_indices = false, .name = in.own_name()});
}

SparseTensor expand_dims(const SparseTensor& input, const ExpandDimsOptions& options,
                         std::source_location at) {
  const PartialShape& dims = input.dense_shape.shape();
  const MadeAt place(at);
  const Input count = dims.is_full() ? whole_number(dims[0]) : Input(size(input.dense_shape));
  const Block in(options.name, "expand_dims", at);
  const Output given = as_tensor(options.axis.value_or(-1), "axis", DType::i32);
  const Output is_positive = raw::GreaterEqual(given, 0);
  const Output from_end = parts::plus(parts::plus(given, count), 1);
  const Output axis = where_v2(is_positive, given, from_end);
  const Output rows = parts::item(shape(input.indices), 0);
  const Output column = zeros(parts::list_of({rows, 1}), {.dtype = DType::i64});
  const Output before = raw::Slice(input.indices, parts::ints({0, 0}), parts::list_of({-1, axis}));
  const Output after = raw::Slice(input.indices, parts::list_of({0, axis}), parts::ints({-1, -1}));
  const Output indices = rill::concat({before, column, after}, 1);
  const Output shape_before =
      raw::Slice(input.dense_shape, parts::ints({0}), parts::list_of({axis}));
  const Output shape_after =
      raw::Slice(input.dense_shape, parts::list_of({axis}), parts::ints({-1}));
  const Output one = as_tensor(parts::ints({1}), "new_shape", DType::i64);
  return {indices, input.values, rill::concat({shape_before, one, shape_after}, 0)};
}

SparseTensor eye(const Input& num_rows, const EyeOptions& options, std::source_location at) {
  const Block in(options.name, "eye", at);
  const auto count = [](const Input& given, const char* name) {
    return given.is_output() ? parts::cast_to(given, DType::i64)
                             : as_tensor(given, name, DType::i64);
  };
  const Output rows = count(num_rows, "num_rows");
  const Output columns = options.num_columns ? count(*options.num_columns, "num_columns") : rows;
  const Output length = raw::Minimum(rows, columns);
  const Output places = raw::Range(Tensor::scalar<std::int64_t>(0), length,
                                   Tensor::scalar<std::int64_t>(1), {.name = "range"});
  const Output indices = stack({places, places}, {.axis = 1});
  const Output values = ones(length, {.dtype = options.dtype});
  return {indices, values, parts::list_of({rows, columns})};
}

}  // namespace rill::sparse
