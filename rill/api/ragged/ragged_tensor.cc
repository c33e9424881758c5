#include "rill/api/ragged/ragged_tensor.h"

#include <algorithm>

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

namespace rill {

PartialShape RaggedTensor::shape() const {
  const PartialShape& splits = row_splits().shape();
  const std::int64_t known = splits.has_rank() ? splits[0] : -1;
  PartialShape result({known < 0 ? kUnknownDim : known - 1});
  for (std::size_t i = 0; i < nested_row_splits.size(); ++i) result.add_dim(kUnknownDim);
  const PartialShape& inner = flat_values.shape();
  if (!inner.has_rank()) return {};
  for (int i = 1; i < inner.rank(); ++i) result.add_dim(inner[i]);
  return result;
}

RaggedTensor RaggedTensor::ragged_values() const {
  require(has_ragged_values(), "the values of this RaggedTensor are a plain tensor");
  return {flat_values, {nested_row_splits.begin() + 1, nested_row_splits.end()}};
}

namespace ragged {
namespace {

Output all_of(Output condition) { return raw::All(condition, parts::all_dimensions(condition)); }

Output scalar_like(std::int64_t value, Output of) {
  return as_tensor(value, "Const", base_type(of.dtype()));
}

Output limits_of(Output splits) { return parts::range_of(splits, 1, {}); }
Output starts_of(Output splits) { return parts::range_of(splits, {}, -1); }

// The splits, once it is sure that they begin with 0, never go back and end with `value_count`.
Output checked(Output splits, const Output& value_count) {
  const char* message = "Arguments to from_row_splits do not form a valid RaggedTensor";
  const Output first = parts::item(splits, 0);
  Node& zero = assert_true(raw::Equal(first, scalar_like(0, splits)), {message, first});
  const Output starts = starts_of(splits), limits = limits_of(splits);
  Node& rising = assert_true(all_of(raw::LessEqual(starts, limits)), {message, splits});
  const Output last = parts::item(splits, -1);
  Node& complete = assert_true(raw::Equal(last, value_count), {message, last, value_count});
  return parts::after_nodes({&zero, &rising, &complete}, splits);
}

Output splits_argument(const Input& row_splits) {
  const Output splits = as_tensor(row_splits, "row_splits");
  const DType type = base_type(splits.dtype());
  require(type == DType::i32 || type == DType::i64,
          "row_splits must have dtype int32 or int64, not ", numpy_name(type));
  require(!splits.shape().has_rank() || splits.shape().rank() == 1, "Shape ", splits.shape(),
          " must have rank 1");
  return splits;
}

Input minus_one(DType type) {
  return Input(Input::MakeValue([type](DType) {
    return type == DType::i64 ? Tensor::vector<std::int64_t>({-1})
                              : Tensor::vector<std::int32_t>({-1});
  }));
}

Output with_zero_first(Output limits) {
  const Input zero = Tensor::zeros(base_type(limits.dtype()), Shape{1});
  return rill::concat({zero, limits}, 0);
}

}  // namespace

RaggedTensor from_row_splits(const Input& values, const Input& row_splits,
                             const FromOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedFromRowSplits", at);
  const Output x = as_tensor(values, "values");
  Output splits = splits_argument(row_splits);
  if (options.validate)
    splits = checked(splits, parts::item(shape(x, {.out_type = base_type(splits.dtype())}), 0));
  return {x, {splits}};
}

RaggedTensor from_row_splits(const RaggedTensor& values, const Input& row_splits,
                             const FromOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedFromRowSplits", at);
  Output splits = splits_argument(row_splits);
  require(base_type(splits.dtype()) == values.splits_type(),
          "values and row_splits must have the same row_splits dtype");
  if (options.validate) splits = checked(splits, nrows(values));
  std::vector<Output> nested = values.nested_row_splits;
  nested.insert(nested.begin(), splits);
  return {values.flat_values, nested};
}

Output splits_of_lengths(const Input& row_lengths) {
  const Output lengths = as_tensor(row_lengths, "row_lengths");
  return with_zero_first(raw::Cumsum(lengths, 0));
}

Output splits_of_starts(const Input& row_starts, Output value_count) {
  const Output starts = as_tensor(row_starts, "row_starts");
  return rill::concat({starts, parts::list_of({value_count})}, 0);
}

Output splits_of_limits(const Input& row_limits) {
  return with_zero_first(as_tensor(row_limits, "row_limits"));
}

Output splits_of_rowids(const Input& value_rowids, const OptionalInput& nrows) {
  const Output ids = as_tensor(value_rowids, "value_rowids");
  const DType type = base_type(ids.dtype());
  const auto counted = [&] {  // one more than the last id; 0 where there is none
    const Output last = parts::range_of(ids, -1, {});
    const Input none = minus_one(type);
    return parts::plus(parts::item(rill::concat({last, none}, 0), 0), 1);
  };
  const Output count = nrows ? as_tensor(*nrows, "nrows", type) : counted();
  const Output lengths = raw::UnsortedSegmentSum(ones_like(ids), ids, count);
  return with_zero_first(raw::Cumsum(lengths, 0));
}

Output splits_of_segments(const Input& segment_ids, const OptionalInput& num_segments) {
  const Output ids = as_tensor(segment_ids, "segment_ids");
  if (num_segments) return splits_of_rowids(ids, num_segments);
  const Input none = minus_one(base_type(ids.dtype()));
  return splits_of_rowids(ids, Input(parts::plus(raw::Max(rill::concat({ids, none}, 0), 0), 1)));
}

Output rowids_of_splits(const Input& row_splits) {
  const Output splits = splits_argument(row_splits);
  const Output limits = limits_of(splits), starts = starts_of(splits);
  const Output lengths = parts::minus(limits, starts);
  const DType type = base_type(splits.dtype());
  const Output count = parts::minus(parts::item(shape(splits, {.out_type = type}), -1), 1);
  const Output ids = raw::Range(scalar_like(0, splits), count, scalar_like(1, splits));
  return repeat(ids, lengths, {.axis = 0});
}

Output nrows(const RaggedTensor& input) {
  return parts::minus(parts::item(shape(input.row_splits(), {.out_type = input.splits_type()}), 0),
                      1);
}

Output row_lengths(const RaggedTensor& input) {
  const Output limits = limits_of(input.row_splits()), starts = starts_of(input.row_splits());
  return parts::minus(limits, starts);
}

Output bounding_shape(const RaggedTensor& input, const std::string& name, std::source_location at) {
  const Block in(name, "RaggedBoundingBox", at);
  std::vector<Input> sizes;
  sizes.push_back(parts::list_of({nrows(input)}));
  for (std::size_t i = 0; i < input.nested_row_splits.size(); ++i) {
    const RaggedTensor level{input.flat_values, {input.nested_row_splits[i]}};
    const Output lengths = row_lengths(level);
    const Output longest = raw::Max(lengths, parts::all_dimensions(lengths));
    sizes.push_back(parts::list_of({raw::Maximum(longest, scalar_like(0, longest))}));
  }
  const Output inner = shape(input.flat_values, {.out_type = input.splits_type()});
  sizes.push_back(parts::range_of(inner, 1, {}));
  return rill::concat(sizes, 0);
}

Output to_tensor(const RaggedTensor& input, const OptionalInput& default_value,
                 const std::string& name, std::source_location at) {
  const Block in(name, "RaggedToTensor", at);
  const Output otherwise = default_value ? as_tensor(*default_value, "default_value", input.dtype())
                                         : zeros(ShapeInput(Shape{}), {.dtype = input.dtype()});
  const std::vector<Input> splits(input.nested_row_splits.begin(), input.nested_row_splits.end());
  return raw::RaggedTensorToTensor(Tensor::scalar<std::int64_t>(-1), input.flat_values, otherwise,
                                   splits, std::vector<std::string>(splits.size(), "ROW_SPLITS"));
}

SparseTensor to_sparse(const RaggedTensor& input, const std::string& name,
                       std::source_location at) {
  const Block in(name, "RaggedToSparse", at);
  const std::vector<Input> splits(input.nested_row_splits.begin(), input.nested_row_splits.end());
  const auto made = raw::RaggedTensorToSparse(splits, input.flat_values, {.name = in.own_name()});
  return {made.sparse_indices, made.sparse_values, made.sparse_dense_shape};
}

RaggedOrDense row_lengths(const RaggedTensor& input, int axis) {
  const int rank = input.shape().has_rank() ? input.shape().rank() : axis + 1;
  require(axis >= -rank && axis < rank, "axis=", axis, " out of bounds: expected ", -rank,
          "<=axis<", rank);
  if (axis < 0) axis += rank;
  if (axis == 0) return nrows(input);
  if (axis == 1) return row_lengths(input);
  if (input.has_ragged_values())
    return parts::under(input.row_splits(), row_lengths(input.ragged_values(), axis - 1));
  const Output dims = shape(input.flat_values, {.out_type = input.splits_type()});
  const Output outer = parts::range_of(dims, {}, axis - 1);
  return parts::under(input.row_splits(), raw::Fill(outer, parts::item(dims, axis - 1)));
}

namespace {

int width_of(DType type) {
  constexpr DType kOrder[] = {DType::i32, DType::i64, DType::f32, DType::f64};
  const auto* found = std::ranges::find(kOrder, type);
  require(found != std::end(kOrder), "ragged.range takes int32, int64, float32 or float64, not ",
          numpy_name(type));
  return static_cast<int>(found - kOrder);
}

}  // namespace

RaggedTensor range(const Input& starts, const Input& limits, const Input& deltas,
                   const RangeOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedRange", at);
  std::vector<Output> bounds{as_tensor(starts, "starts"), as_tensor(limits, "limits"),
                             as_tensor(deltas, "deltas")};
  const auto width = [](const Output& x) { return width_of(base_type(x.dtype())); };
  const DType widest = base_type(std::ranges::max(bounds, {}, width).dtype());
  for (Output& bound : bounds) bound = parts::cast_to(bound, widest);
  const auto made = raw::RaggedRange(bounds[0], bounds[1], bounds[2],
                                     {.Tsplits = options.row_splits_dtype, .name = in.own_name()});
  return {made.rt_dense_values, {made.rt_nested_splits}};
}

}  // namespace ragged
}  // namespace rill
