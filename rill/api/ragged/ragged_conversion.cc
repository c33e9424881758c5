#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/ragged.h"
#include "rill/api/ragged/ragged_parts.h"

namespace rill::ragged {
namespace {

// How many values of each row remain when padding at its end is left out.
Output lengths_without_padding(Output x, const Input& padding, DType type) {
  const Output pad = as_tensor(padding, "padding", base_type(x.dtype()));
  Output has_value = raw::NotEqual(x, pad);
  for (int axis = x.shape().rank() - 1; axis >= 2; --axis)
    has_value = raw::Any(has_value, std::int64_t{axis});
  const Output columns = parts::item(shape(x, {.out_type = type}), 1);
  const Output one = as_tensor(1, "Const", type);
  const Output places = raw::Range(one, parts::plus(columns, one), one);
  return raw::Max(parts::times(parts::cast_to(has_value, type), places), 1);
}

RaggedTensor by_lengths(Output x, const Output& lengths) {
  const Output mask = sequence_mask(
      lengths, {.maxlen = parts::item(shape(x, {.out_type = base_type(lengths.dtype())}), 1)});
  const Output values = rill::boolean_mask(x, mask);
  return from_row_splits(values, splits_of_lengths(lengths), {.validate = false});
}

// All rows are full: the outer dimensions become one.
RaggedTensor full_rows(Output x, int ragged_rank, DType type) {
  const Output dims = shape(x, {.out_type = type});
  const Output one = as_tensor(1, "Const", type), zero = as_tensor(0, "Const", type);
  std::vector<Output> nested;
  Output count = parts::item(dims, 0);
  for (int axis = 1; axis <= ragged_rank; ++axis) {
    const Output length = parts::item(dims, axis);
    const Output rows = raw::Range(zero, parts::plus(count, one), one);
    nested.push_back(parts::times(rows, length));
    count = parts::times(count, length);
  }
  const Output inner = parts::range_of(dims, ragged_rank + 1, {});
  const Output values = raw::Reshape(x, rill::concat({parts::list_of({count}), inner}, 0));
  return {values, nested};
}

}  // namespace

RaggedTensor from_tensor(const Input& tensor, const FromTensorOptions& options,
                         std::source_location at) {
  const Block in(options.name, "RaggedFromTensor", at);
  const Output x = as_tensor(tensor, "tensor");
  require(options.ragged_rank > 0, "ragged_rank must be greater than 0; got ", options.ragged_rank,
          ".");
  require(!options.lengths || !options.padding, "Specify lengths or padding, but not both");
  require(x.shape().has_rank() && x.shape().rank() > options.ragged_rank, "Shape ", x.shape(),
          " must have rank at least ", options.ragged_rank + 1);
  const DType type = options.row_splits_dtype;
  if (!options.lengths && !options.padding) return full_rows(x, options.ragged_rank, type);
  if (options.ragged_rank > 1) {
    const RaggedTensor outer = full_rows(x, options.ragged_rank - 1, type);
    FromTensorOptions inner = options;
    inner.ragged_rank = 1;
    return parts::with_flat_values(outer, from_tensor(outer.flat_values, inner));
  }
  if (options.padding) return by_lengths(x, lengths_without_padding(x, *options.padding, type));
  const Output given = as_tensor(*options.lengths, "lengths", type);
  const Output columns = parts::item(shape(x, {.out_type = type}), 1);
  return by_lengths(x, raw::Minimum(given, columns));
}

RaggedTensor from_nested_lengths(const Input& tensor, std::vector<Input> lengths,
                                 const FromTensorOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedFromTensor", at);
  require(!lengths.empty(), "lengths of one dimension are needed at least");
  const DType type = options.row_splits_dtype;
  const RaggedTensor outer = from_tensor(tensor, {.lengths = lengths[0], .row_splits_dtype = type});
  lengths.erase(lengths.begin());
  if (lengths.empty()) return outer;
  return parts::with_flat_values(
      outer, from_nested_lengths(outer.flat_values, lengths, {.row_splits_dtype = type}));
}

RaggedTensor from_sparse(const SparseTensor& input, const std::string& name, DType row_splits_dtype,
                         std::source_location at) {
  const Block in(name, "RaggedFromSparse", at);
  const PartialShape dims = input.shape();
  require(!dims.has_rank() || dims.rank() == 2, "rank(st_input) must be 2, got shape ", dims);
  const Output ids = rill::slice(input.indices, {SliceRange{}, SlicePart(Input(0))});
  const Output rows = parts::item(input.dense_shape, 0);
  const Output splits = splits_of_rowids(parts::cast_to(ids, row_splits_dtype),
                                         parts::cast_to(rows, row_splits_dtype));
  // The columns of each row count from 0 without a gap.
  const Output columns = rill::slice(input.indices, {SliceRange{}, SlicePart(Input(1))});
  const Output lengths = row_lengths({input.values, {splits}});
  const Output wanted = parts::cast_to(range(0, lengths, 1).flat_values, DType::i64);
  const Output same = raw::Equal(columns, wanted);
  Node& filled = assert_true(raw::All(same, parts::all_dimensions(same)),
                             {"SparseTensor is not right-ragged", input.indices});
  return {input.values, {parts::after_nodes({&filled}, splits)}};
}

Output to_variant(const RaggedOrDense& input) {
  if (const RaggedTensor* own = parts::ragged_in(input)) {
    const std::vector<Input> splits(own->nested_row_splits.begin(), own->nested_row_splits.end());
    return raw::RaggedTensorToVariant(splits, own->flat_values, /*batched_input=*/false);
  }
  // The op wants a ragged dimension: a plain tensor is its only row.
  const Output x = std::get<Output>(input);
  const Output splits =
      as_tensor(parts::list_of({parts::number(0, DType::i64), parts::row_count(x, DType::i64)}));
  return parts::item(raw::RaggedTensorToVariant({splits}, x, /*batched_input=*/true), 0);
}

RaggedTensor from_variants(Output variants, int ragged_rank, DType dtype, DType row_splits_dtype) {
  const auto made =
      raw::RaggedTensorFromVariant(variants, ragged_rank, ragged_rank + 1, dtype, row_splits_dtype);
  return {made.output_dense_values, made.output_nested_splits};
}

}  // namespace rill::ragged
