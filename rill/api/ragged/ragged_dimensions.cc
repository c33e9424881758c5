#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/ragged/ragged_joining.h"
#include "rill/api/ragged/ragged_parts.h"
#include "rill/base/error.h"

namespace rill::ragged {
namespace {

using parts::ragged_in;
using parts::under;
using parts::values_of;

RaggedOrDense expanded(const RaggedOrDense& x, int axis) {
  const RaggedTensor* own = ragged_in(x);
  if (own == nullptr) return raw::ExpandDims(std::get<Output>(x), axis);
  if (axis > 1) return under(own->row_splits(), expanded(values_of(*own), axis - 1));
  const Output count = nrows(*own);
  if (axis == 1) return under(parts::counted(parts::plus(count, 1)), x);
  return under(as_tensor(parts::list_of({parts::number(0, own->splits_type()), count})), x);
}

RaggedOrDense without(const RaggedOrDense& x, int axis) {
  const RaggedTensor* own = ragged_in(x);
  if (own == nullptr) return rill::squeeze(std::get<Output>(x), {.axis = {axis}});
  if (axis > 1) return under(own->row_splits(), without(values_of(*own), axis - 1));
  const Output sizes = axis == 0 ? nrows(*own) : row_lengths(*own);
  const Output fits = raw::Equal(sizes, parts::number(1, own->splits_type()));
  Node& check = assert_true(raw::All(fits, parts::all_dimensions(fits)),
                            {"the given axis (axis = ", axis, ") is not squeezable!", sizes});
  RaggedOrDense values = values_of(*own);
  Output& flat = ragged_in(values) != nullptr ? std::get<RaggedTensor>(values).flat_values
                                              : std::get<Output>(values);
  flat = parts::after_nodes({&check}, flat);
  return values;
}

// The values at starts, starts + step ... up to but without limits, for all of these.
RaggedOrDense reread(const RaggedTensor& x, const Output& starts, const Output& limits, int step) {
  const RaggedTensor places = range(starts, limits, parts::number(step, x.splits_type()),
                                    {.row_splits_dtype = x.splits_type()});
  return parts::rows_at(values_of(x), places.flat_values);
}

RaggedTensor tiled(const RaggedTensor& x, int axis, const Output& times) {
  if (axis > 1)
    return under(x.row_splits(), tiled(std::get<RaggedTensor>(values_of(x)), axis - 1, times));
  if (axis == 0) {
    const Output rows = nrows(x);
    const Output all = parts::counted(parts::times(rows, times));
    return std::get<RaggedTensor>(parts::rows_at(x, parts::modulo(all, rows)));
  }
  const Output starts = repeat(parts::row_starts(x), times, {.axis = 0});
  const Output limits = repeat(parts::row_limits(x), times, {.axis = 0});
  return under(parts::times(x.row_splits(), times), reread(x, starts, limits, 1));
}

RaggedTensor reversed(const RaggedTensor& x, int axis) {
  if (axis > 1)
    return under(x.row_splits(), reversed(std::get<RaggedTensor>(values_of(x)), axis - 1));
  if (axis == 0) {
    const Output last = parts::minus(nrows(x), 1);
    return std::get<RaggedTensor>(parts::rows_at(x, parts::minus(last, parts::counted(nrows(x)))));
  }
  const Output starts = parts::minus(parts::row_limits(x), 1);
  const Output limits = parts::minus(parts::row_starts(x), 1);
  return under(x.row_splits(), reread(x, starts, limits, -1));
}

}  // namespace

RaggedOrDense expand_dims(const RaggedOrDense& input, int axis, const JoinOptions& options,
                          std::source_location at) {
  const Block in(options.name, "RaggedExpandDims", at);
  return expanded(input, parts::positive_axis(axis, parts::known_rank(input) + 1));
}

RaggedOrDense squeeze(const RaggedOrDense& input, const std::vector<int>& axes,
                      const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedSqueeze", at);
  require(!axes.empty() || ragged_in(input) == nullptr,
          "Ragged.squeeze must have an axis argument.");
  std::vector<int> order;
  for (const int axis : axes) order.push_back(parts::positive_axis(axis, parts::known_rank(input)));
  std::ranges::sort(order, std::greater<>());
  RaggedOrDense result = input;
  for (const int axis : order) result = without(result, axis);
  return result;
}

RaggedTensor tile(const RaggedTensor& input, const Input& multiples, const JoinOptions& options,
                  std::source_location at) {
  const Block in(options.name, "RaggedTile", at);
  const Output times =
      parts::cast_to(as_tensor(multiples, "multiples", DType::invalid), input.splits_type());
  const PartialShape given = times.shape();
  require(given.has_rank() && given.rank() == 1 &&
              (given[0] < 0 || given[0] == parts::known_rank(input)),
          "multiples must be a vector with a number for each of ", parts::known_rank(input),
          " dimensions, not of shape ", given);
  RaggedTensor result = input;
  const int inner = input.ragged_rank();
  if (parts::known_rank(input) > inner + 1) {
    const Output one = as_tensor(parts::list_of({parts::number(1, input.splits_type())}));
    result.flat_values = raw::Tile(result.flat_values,
                                   rill::concat({one, parts::range_of(times, inner + 1, {})}, 0));
  }
  for (int axis = inner; axis >= 0; --axis) result = tiled(result, axis, parts::item(times, axis));
  return result;
}

RaggedTensor reverse(const RaggedTensor& input, const std::vector<int>& axes,
                     const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedReverse", at);
  RaggedTensor result = input;
  std::vector<std::int64_t> inner;
  for (const int given : axes) {
    const int axis = parts::positive_axis(given, parts::known_rank(input));
    if (axis > input.ragged_rank()) {
      inner.push_back(axis - input.ragged_rank());
    } else {
      result = reversed(result, axis);
    }
  }
  if (!inner.empty()) result.flat_values = raw::ReverseV2(result.flat_values, parts::ints(inner));
  return result;
}

Output rank(const RaggedTensor& input, const JoinOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedRank", at);
  if (input.shape().has_rank()) return parts::number(input.shape().rank(), DType::i32);
  return parts::plus(rill::rank(input.flat_values), input.ragged_rank());
}

Output size(const RaggedTensor& input, DType out_type, const JoinOptions& options,
            std::source_location at) {
  return rill::size(input.flat_values, {.out_type = out_type, .name = options.name}, at);
}

}  // namespace rill::ragged
