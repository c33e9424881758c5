#include "rill/api/ragged/ragged_tensor.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/ragged.h"

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

Output with_zero_first(Output limits) {
  const Input zero = Tensor::zeros(base_type(limits.dtype()), Shape{1});
  return concat({zero, limits}, 0);
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
  return concat({starts, parts::list_of({value_count})}, 0);
}

Output splits_of_limits(const Input& row_limits) {
  return with_zero_first(as_tensor(row_limits, "row_limits"));
}

Output splits_of_rowids(const Input& value_rowids, const std::optional<Input>& nrows) {
  const Output ids = as_tensor(value_rowids, "value_rowids");
  const DType type = base_type(ids.dtype());
  const auto counted = [&] {  // one more than the last id; 0 where there is none
    const Output last = parts::range_of(ids, -1, {});
    const Input none = Input(Input::MakeValue([type](DType) {
      return type == DType::i64 ? Tensor::vector<std::int64_t>({-1})
                                : Tensor::vector<std::int32_t>({-1});
    }));
    return parts::plus(parts::item(concat({last, none}, 0), 0), 1);
  };
  const Output count = nrows ? as_tensor(*nrows, "nrows", type) : counted();
  const Output lengths = raw::UnsortedSegmentSum(ones_like(ids), ids, count);
  return with_zero_first(raw::Cumsum(lengths, 0));
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
  return concat(sizes, 0);
}

Output to_tensor(const RaggedTensor& input, const std::optional<Input>& default_value,
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

RaggedTensor range(const Input& starts, const Input& limits, const Input& deltas,
                   const RangeOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedRange", at);
  const auto made = raw::RaggedRange(starts, limits, deltas,
                                     {.Tsplits = options.row_splits_dtype, .name = in.own_name()});
  return {made.rt_dense_values, {made.rt_nested_splits}};
}

RaggedTensor rows(const RaggedTensor& input, const std::optional<Input>& start,
                  const std::optional<Input>& stop, std::source_location at) {
  const Block in("", "RaggedGetItem", at);
  const Output starts = slice(starts_of(input.row_splits()), {SliceRange{start, stop, {}}});
  const Output limits = slice(limits_of(input.row_splits()), {SliceRange{start, stop, {}}});
  // Rows follow each other without gaps, so what lies between the first and the last is theirs.
  const Output offset =
      raw::Min(concat({starts, parts::range_of(input.row_splits(), -1, {})}, 0), 0);
  const Output end =
      raw::Maximum(raw::Max(concat({limits, parts::list_of({offset})}, 0), 0), offset);
  std::vector<Output> nested{
      concat({parts::list_of({scalar_like(0, offset)}), parts::minus(limits, offset)}, 0)};
  RaggedTensor result{input.flat_values, nested};
  if (input.has_ragged_values()) {
    const RaggedTensor inner = rows(input.ragged_values(), offset, end);
    result.flat_values = inner.flat_values;
    result.nested_row_splits.insert(result.nested_row_splits.end(), inner.nested_row_splits.begin(),
                                    inner.nested_row_splits.end());
  } else {
    result.flat_values = slice(input.flat_values, {SliceRange{offset, end, {}}});
  }
  return result;
}

}  // namespace ragged
}  // namespace rill
