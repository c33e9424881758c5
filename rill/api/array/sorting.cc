#include "rill/api/array/sorting.h"

#include <limits>
#include <numeric>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/graph/builders.h"
#include "rill/graph/whole_number.h"

namespace rill {
namespace {

Tensor largest_value(DType type) {
  switch (type) {
    case DType::u8:
      return Tensor::scalar(std::numeric_limits<std::uint8_t>::max());
    case DType::u16:
      return Tensor::scalar(std::numeric_limits<std::uint16_t>::max());
    case DType::u32:
      return Tensor::scalar(std::numeric_limits<std::uint32_t>::max());
    default:
      return Tensor::scalar(std::numeric_limits<std::uint64_t>::max());
  }
}

// An order of the dimensions in which `axis` is the last one.
Output axis_last(Output values, std::int64_t axis, const Output& count) {
  if (!values.shape().has_rank()) {
    const Input place =
        axis < 0 ? Input(parts::plus(count, whole_number(axis))) : whole_number(axis);
    const Output order = raw::Range(0, count, 1, {.name = "range"});
    const Input last = parts::minus(count, 1);
    const Input places = parts::list_of({parts::list_of({place}), parts::list_of({last})});
    const Output new_last = parts::minus(count, 1);
    return raw::TensorScatterUpdate(order, places, parts::list_of({new_last, place}));
  }
  std::vector<std::int64_t> order(static_cast<std::size_t>(values.shape().rank()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::swap(order.at(static_cast<std::size_t>(axis)), order.back());
  Tensor constant(DType::i64, {static_cast<std::int64_t>(order.size())});
  std::copy(order.begin(), order.end(), constant.data<std::int64_t>());
  return as_tensor(constant, "transposition");
}

Output descending(Output values, std::int64_t axis, bool want_places) {
  const Output length = parts::item(shape(values), axis);
  const Output count = rank(values);
  const int known = values.shape().rank();
  require(known < 0 || (axis >= -known && axis < known), "axis ", axis, " is not in [", -known,
          ", ", known, ")");
  const auto ordered = [&](Output input) {
    const auto top = raw::TopKV2(input, length);
    return want_places ? top.indices : top.values;
  };
  if (axis == -1 || axis + 1 == known) return ordered(values);
  if (axis < 0 && known >= 0) axis += known;
  const Output order = axis_last(values, axis, count);
  return transpose(ordered(transpose(values, {.perm = order})), {.perm = order});
}

Output ascending(Output values, std::int64_t axis, bool want_places) {
  const DType type = base_type(values.dtype());
  const auto negative = [](Output x) { return raw::Neg(x); };
  if (kUnsignedIntTypes.contains(type)) {
    const Tensor most = largest_value(type);
    const Output found = descending(parts::minus(most, values), axis, want_places);
    return want_places ? found : parts::minus(most, found);
  }
  if (kIntTypes.contains(type)) {  // -x alone would not do for the lowest value
    const Output found = descending(parts::minus(negative(values), 1), axis, want_places);
    return want_places ? found : parts::minus(negative(found), 1);
  }
  const Output found = descending(negative(values), axis, want_places);
  return want_places ? found : negative(found);
}

Output in_order(const Input& values, const SortOptions& options, bool want_places) {
  const bool up = options.direction == "ASCENDING";
  require(up || options.direction == "DESCENDING",
          "Argument `direction` should be one of ASCENDING, DESCENDING. Received: direction=",
          options.direction);
  const Output axis = as_tensor(options.axis, "axis");
  const std::optional<std::int64_t> known = parts::known_integer(axis);
  require(known.has_value(), "Argument `axis` must be a constant scalar. Received: axis=", axis);
  const Output tensor = as_tensor(values, "values");
  return up ? ascending(tensor, *known, want_places) : descending(tensor, *known, want_places);
}

}  // namespace

Output sort(const Input& values, const SortOptions& options, std::source_location at) {
  const Block in(options.name, "sort", at);
  return in_order(values, options, false);
}

Output argsort(const Input& values, const SortOptions& options, std::source_location at) {
  const Block in(options.name, "argsort", at);
  return in_order(values, options, true);
}

Output searchsorted(const Input& sorted_sequence, const Input& values,
                    const SearchsortedOptions& options, std::source_location at) {
  const MadeAt place(at);
  require(options.side == "left" || options.side == "right",
          "Argument `side` must be either 'right' or 'left'. Received: `side` = '", options.side,
          "'.");
  const Output sequence_size = parts::item(parts::inner_shape(sorted_sequence), -1);
  const Output values_size = parts::item(parts::inner_shape(values), -1);
  const Output rows = raw::Reshape(sorted_sequence, parts::list_of({-1, sequence_size}));
  const Output wanted = raw::Reshape(values, parts::list_of({-1, values_size}));
  const Output found =
      options.side == "left"
          ? raw::LowerBound(rows, wanted, {.out_type = options.out_type, .name = options.name})
          : raw::UpperBound(rows, wanted, {.out_type = options.out_type, .name = options.name});
  return raw::Reshape(found, parts::inner_shape(values));
}

}  // namespace rill
