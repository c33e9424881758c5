#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/ragged/ragged_tensor.h"

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
  const Output values = boolean_mask(x, mask);
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
  const Output values = raw::Reshape(x, concat({parts::list_of({count}), inner}, 0));
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
  if (!options.lengths && !options.padding)
    return full_rows(x, options.ragged_rank, options.row_splits_dtype);
  require(options.ragged_rank == 1,
          "from_tensor: lengths and padding are supported for ragged_rank=1 only");
  if (options.padding)
    return by_lengths(x, lengths_without_padding(x, *options.padding, options.row_splits_dtype));
  const Output given = as_tensor(*options.lengths, "lengths", options.row_splits_dtype);
  const Output columns = parts::item(shape(x, {.out_type = options.row_splits_dtype}), 1);
  return by_lengths(x, raw::Minimum(given, columns));
}

RaggedTensor from_sparse(const SparseTensor& input, const std::string& name, DType row_splits_dtype,
                         std::source_location at) {
  const Block in(name, "RaggedFromSparse", at);
  const PartialShape dims = input.shape();
  require(!dims.has_rank() || dims.rank() == 2, "rank(st_input) must be 2, got shape ", dims);
  const Output ids = slice(input.indices, {SliceRange{}, SlicePart(Input(0))});
  const Output rows = parts::item(input.dense_shape, 0);
  const Output splits = splits_of_rowids(parts::cast_to(ids, row_splits_dtype),
                                         parts::cast_to(rows, row_splits_dtype));
  return from_row_splits(input.values, splits, {.validate = false});
}

}  // namespace rill::ragged
