#include "rill/api/ragged/ragged_joining.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/array/sorting.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/ragged.h"
#include "rill/base/error.h"

namespace rill::ragged {
namespace {

const RaggedTensor* ragged_in(const RaggedOrDense& x) { return std::get_if<RaggedTensor>(&x); }

PartialShape shape_of(const RaggedOrDense& x) {
  return ragged_in(x) != nullptr ? ragged_in(x)->shape() : std::get<Output>(x).shape();
}

RaggedOrDense values_of(const RaggedTensor& x) {
  if (x.has_ragged_values()) return x.ragged_values();
  return x.flat_values;
}

RaggedTensor under(Output splits, const RaggedOrDense& values) {
  RaggedTensor result{.flat_values = {}, .nested_row_splits = {splits}};
  if (const RaggedTensor* inner = ragged_in(values)) {
    result.flat_values = inner->flat_values;
    const auto& nested = inner->nested_row_splits;
    result.nested_row_splits.insert(result.nested_row_splits.end(), nested.begin(), nested.end());
  } else {
    result.flat_values = std::get<Output>(values);
  }
  return result;
}

// The same values with at least so many ragged dimensions.
RaggedTensor raised(const RaggedOrDense& x, int ragged_rank, DType splits) {
  const RaggedTensor* own = ragged_in(x);
  if (own == nullptr)
    return from_tensor(std::get<Output>(x),
                       {.ragged_rank = ragged_rank, .row_splits_dtype = splits});
  if (own->ragged_rank() >= ragged_rank) return *own;
  return under(own->row_splits(), raised(values_of(*own), ragged_rank - 1, splits));
}

Output joined_splits(const std::vector<Output>& splits) {
  std::vector<Input> pieces{splits[0]};
  Output offset = parts::item(splits[0], -1);
  for (std::size_t i = 1; i < splits.size(); ++i) {
    pieces.emplace_back(parts::plus(parts::range_of(splits[i], 1, {}), offset));
    offset = parts::plus(offset, parts::item(splits[i], -1));
  }
  return concat(pieces, 0);
}

// One after the other along the first dimension.
RaggedTensor joined(const std::vector<RaggedTensor>& all) {
  std::vector<Input> flat;
  for (const RaggedTensor& x : all) flat.emplace_back(x.flat_values);
  RaggedTensor result{.flat_values = concat(flat, 0), .nested_row_splits = {}};
  for (int d = 0; d < all[0].ragged_rank(); ++d) {
    std::vector<Output> splits;
    for (const RaggedTensor& x : all)
      splits.push_back(x.nested_row_splits[static_cast<std::size_t>(d)]);
    result.nested_row_splits.push_back(joined_splits(splits));
  }
  return result;
}

RaggedTensor gathered(const RaggedTensor& x, Output rows) {
  const std::vector<Input> splits(x.nested_row_splits.begin(), x.nested_row_splits.end());
  const auto picked = raw::RaggedGather(splits, x.flat_values, rows, x.ragged_rank());
  return {.flat_values = picked.output_dense_values,
          .nested_row_splits = picked.output_nested_splits};
}

Output number(std::int64_t value, DType type) { return as_tensor(value, "Const", type); }

// Row i of each, side by side.
RaggedTensor interleaved(const std::vector<RaggedTensor>& all) {
  const DType type = all[0].splits_type();
  const std::int64_t count = static_cast<std::int64_t>(all.size());
  const Output row_count = nrows(all[0]);
  std::vector<Node*> checks;
  for (const RaggedTensor& x : all)
    if (&x != &all[0])
      checks.push_back(&debugging::assert_equal(
          row_count, nrows(x), {.message = "Input tensors have incompatible shapes."}));
  const ControlDependencies checked(checks);
  const Output total = parts::times(row_count, number(count, type));
  const Output zero = number(0, type), one = number(1, type);
  const Output places = raw::Range(zero, total, one);
  const Output grid =
      raw::Reshape(places, Tensor::vector<std::int32_t>({static_cast<std::int32_t>(count), -1}));
  const Output order = raw::Reshape(raw::Transpose(grid, Tensor::vector<std::int32_t>({1, 0})),
                                    Tensor::vector<std::int32_t>({-1}));
  const Output splits = raw::Range(zero, parts::plus(total, one), number(count, type));
  return under(splits, gathered(joined(all), order));
}

RaggedOrDense stacked(const std::vector<RaggedOrDense>& values, int axis) {
  const int rank = shape_of(values[0]).rank();
  DType type = DType::i64;
  int ragged_rank = 1;
  for (const RaggedOrDense& x : values)
    if (const RaggedTensor* own = ragged_in(x)) {
      type = own->splits_type();
      ragged_rank = std::max(ragged_rank, own->ragged_rank());
    }
  if (rank == 1) {
    std::vector<Input> flat, lengths;
    for (const RaggedOrDense& x : values) flat.emplace_back(std::get<Output>(x));
    if (axis == 1) return raw::Pack(flat, {.axis = 1});
    for (const RaggedOrDense& x : values)
      lengths.emplace_back(shape(std::get<Output>(x), {.out_type = type}));
    return RaggedTensor{.flat_values = concat(flat, 0),
                        .nested_row_splits = {splits_of_lengths(concat(lengths, 0))}};
  }
  std::vector<RaggedTensor> all;
  for (const RaggedOrDense& x : values) all.push_back(raised(x, ragged_rank, type));
  if (axis == 1) return interleaved(all);
  if (axis > 1) {
    std::vector<RaggedOrDense> inner;
    for (const RaggedTensor& x : all) inner.push_back(values_of(x));
    return under(all[0].row_splits(), stacked(inner, axis - 1));
  }
  std::vector<Input> counts;
  for (const RaggedTensor& x : all) counts.emplace_back(nrows(x));
  return under(splits_of_lengths(parts::list_of(counts)), joined(all));
}

// How many of each row are true.
Output counted_splits(const RaggedTensor& mask) {
  const DType type = mask.splits_type();
  const Output kept = parts::cast_to(mask.flat_values, type);
  const Output so_far =
      concat({parts::list_of({number(0, type)}), raw::Cumsum(kept, number(0, DType::i32))}, 0);
  return gather(so_far, mask.row_splits());
}

RaggedOrDense masked(const RaggedOrDense& data, const RaggedOrDense& mask) {
  const int rank = shape_of(mask).rank();
  if (rank == 1) {
    if (const RaggedTensor* rows = ragged_in(data))
      return gathered(*rows,
                      raw::Squeeze(raw::Where(std::get<Output>(mask)), {.squeeze_dims = {1}}));
    return rill::boolean_mask(std::get<Output>(data), std::get<Output>(mask));
  }
  const RaggedTensor where = raised(mask, 1, DType::i64);
  const RaggedTensor what = raised(data, 1, where.splits_type());
  const RaggedOrDense inner = masked(values_of(what), values_of(where));
  if (rank > 2) return under(where.row_splits(), inner);
  return under(counted_splits(where), inner);
}

}  // namespace

RaggedOrDense stack(const std::vector<RaggedOrDense>& values, int axis, const JoinOptions& options,
                    std::source_location at) {
  const Block in(options.name, "RaggedConcat", at);
  require(!values.empty(), "rt_inputs may not be empty.");
  const PartialShape first = shape_of(values[0]);
  for (const RaggedOrDense& x : values)
    require(first.has_rank() && shape_of(x).has_rank() && shape_of(x).rank() == first.rank(),
            "Shapes ", first, " and ", shape_of(x), " must have the same, known rank");
  const int rank = first.rank() + 1;
  require(axis >= -rank && axis < rank, "axis=", axis, " out of bounds: expected ", -rank,
          "<=axis<", rank);
  return stacked(values, axis < 0 ? axis + rank : axis);
}

RaggedOrDense boolean_mask(const RaggedOrDense& data, const RaggedOrDense& mask,
                           const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedMask", at);
  const PartialShape shape = shape_of(mask);
  require(shape.has_rank(), "mask.shape.ndims must be known statically.");
  require(shape.rank() > 0, "mask cannot be scalar.");
  return masked(data, mask);
}

RaggedTensor stack_dynamic_partitions(const Input& data, const Input& partitions,
                                      const Input& num_partitions, const JoinOptions& options,
                                      std::source_location at) {
  const Block in(options.name, "SegmentStack", at);
  Output slices = as_tensor(data, "data");
  Output which = as_tensor(partitions, "partitions");
  require(which.shape().has_rank(), "partitions must have known rank");
  const int rank = which.shape().rank();
  const Output row = Output(as_tensor(Tensor::vector<std::int32_t>({-1}), "Const"));
  if (rank != 1) {
    const Output inner = parts::range_of(shape(slices), rank, {});
    slices = raw::Reshape(slices, concat({row, inner}, 0));
    which = raw::Reshape(which, row);
  }
  const Output order = argsort(which, {.stable = true});
  const Output rowids = parts::cast_to(gather(which, order), DType::i64);
  const Output count = parts::cast_to(as_tensor(num_partitions, "num_partitions"), DType::i64);
  return {.flat_values = gather(slices, order),
          .nested_row_splits = {splits_of_rowids(rowids, Input(count))}};
}

}  // namespace rill::ragged
