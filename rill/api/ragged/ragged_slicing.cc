#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/ragged/ragged_parts.h"
#include "rill/api/ragged/ragged_picking.h"
#include "rill/base/error.h"

namespace rill::ragged {
namespace {

using Keys = std::span<const SlicePart>;
using parts::ragged_in;
using parts::under;
using parts::values_of;

bool takes_all(const SliceRange& range) { return !range.start && !range.stop && !range.step; }

// With full ranges for "...".
std::vector<SlicePart> without_ellipsis(const std::vector<SlicePart>& keys, int rank) {
  std::size_t named = 0;
  bool found = false;
  for (const SlicePart& key : keys) {
    if (std::holds_alternative<Ellipsis>(key)) {
      require(!found, "Cannot have multiple ellipses in a slice");
      found = true;
    } else if (!std::holds_alternative<NewAxis>(key)) {
      ++named;
    }
  }
  require(named <= static_cast<std::size_t>(rank), "Too many indices for RaggedTensor of rank ",
          rank);
  std::vector<SlicePart> result;
  for (const SlicePart& key : keys) {
    if (!std::holds_alternative<Ellipsis>(key)) {
      result.push_back(key);
      continue;
    }
    result.insert(result.end(), static_cast<std::size_t>(rank) - named, SliceRange{});
  }
  return result;
}

RaggedOrDense dense_item(const Output& x, Keys keys, bool inner) {
  std::vector<SlicePart> all(keys.begin(), keys.end());
  if (inner) all.insert(all.begin(), SliceRange{});
  if (keys.empty()) return x;
  return rill::slice(x, all);
}

// A bound of a range in rows of these lengths, between 0 and the length, or one below both where
// the range runs backwards.
Output bound_in(const OptionalInput& bound, const Output& lengths, bool otherwise_end,
                bool backwards) {
  const DType type = base_type(lengths.dtype());
  const Output low = parts::number(backwards ? -1 : 0, type);
  const Output high = backwards ? parts::minus(lengths, 1) : lengths;
  if (!bound) return otherwise_end ? high : raw::Fill(shape(lengths), low);
  const Output given = parts::cast_to(as_tensor(*bound, "bound"), type);
  const Output is_negative = raw::Less(given, parts::number(0, type));
  const Output from_start =
      parts::plus(given, parts::times(lengths, parts::cast_to(is_negative, type)));
  return raw::Minimum(raw::Maximum(from_start, low), high);
}

bool is_backwards(const SliceRange& range) {
  if (!range.step) return false;
  const auto step = parts::known_integer(*range.step);
  require(step.has_value() && *step != 0,
          "slice step of a RaggedTensor must be a known number that is not zero");
  return *step < 0;
}

// The elements of a range in each of these rows of values.
RaggedTensor ranges(const RaggedOrDense& values, const Output& starts, const Output& lengths,
                    const SliceRange& wanted, DType type) {
  const bool backwards = is_backwards(wanted);
  const Output first = bound_in(wanted.start, lengths, backwards, backwards);
  const Output last = bound_in(wanted.stop, lengths, !backwards, backwards);
  const Output step =
      wanted.step ? parts::cast_to(as_tensor(*wanted.step, "step"), type) : parts::number(1, type);
  const RaggedTensor places = range(parts::plus(starts, first), parts::plus(starts, last), step,
                                    {.row_splits_dtype = type});
  return under(places.row_splits(), parts::rows_at(values, places.flat_values));
}

RaggedOrDense inner_item(const RaggedOrDense& x, Keys keys, DType type) {
  if (keys.empty()) return x;
  const RaggedTensor* own = ragged_in(x);
  if (own == nullptr) return dense_item(std::get<Output>(x), keys, true);
  if (std::holds_alternative<NewAxis>(keys[0]))
    return under(parts::counted(parts::plus(nrows(*own), 1)), inner_item(x, keys.subspan(1), type));
  const auto* wanted = std::get_if<SliceRange>(&keys[0]);
  require(wanted != nullptr, "Cannot index into an inner ragged dimension.");
  const RaggedTensor rows = takes_all(*wanted) ? *own
                                               : ranges(values_of(*own), parts::row_starts(*own),
                                                        row_lengths(*own), *wanted, type);
  return under(rows.row_splits(), inner_item(values_of(rows), keys.subspan(1), type));
}

RaggedOrDense outer_item(const RaggedOrDense& x, Keys keys) {
  const RaggedTensor* own = ragged_in(x);
  if (own == nullptr) return dense_item(std::get<Output>(x), keys, false);
  if (keys.empty()) return x;
  const DType type = own->splits_type();
  const Output zero = parts::number(0, type);
  if (std::holds_alternative<NewAxis>(keys[0])) {
    const RaggedOrDense inner = outer_item(x, keys.subspan(1));
    const Output count = parts::row_count(inner, type);
    return under(as_tensor(parts::list_of({zero, count})), inner);
  }
  if (const auto* index = std::get_if<Input>(&keys[0])) {
    const Output start = rill::slice(parts::row_starts(*own), {*index});
    const Output limit = rill::slice(parts::row_limits(*own), {*index});
    const Output places = raw::Range(start, limit, parts::number(1, type));
    return outer_item(parts::rows_at(values_of(*own), places), keys.subspan(1));
  }
  const auto& wanted = std::get<SliceRange>(keys[0]);
  if (takes_all(wanted)) return inner_item(x, keys.subspan(1), type);
  const Output places = rill::slice(parts::counted(nrows(*own)), {wanted});
  return inner_item(parts::rows_at(x, places), keys.subspan(1), type);
}

}  // namespace

RaggedOrDense slice(const RaggedOrDense& x, const std::vector<SlicePart>& keys,
                    std::source_location at) {
  const Block in("", "RaggedGetItem", at);
  if (ragged_in(x) == nullptr) return rill::slice(std::get<Output>(x), keys);
  return outer_item(x, without_ellipsis(keys, parts::known_rank(x)));
}

RaggedTensor rows(const RaggedTensor& input, const OptionalInput& start, const OptionalInput& stop,
                  std::source_location at) {
  return std::get<RaggedTensor>(slice(input, {SliceRange{start, stop, {}}}, at));
}

}  // namespace rill::ragged
