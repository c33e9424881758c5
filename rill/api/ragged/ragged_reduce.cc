#include "rill/api/ragged/ragged_reduce.h"

#include <algorithm>
#include <functional>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/string.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/ragged/ragged_joining.h"
#include "rill/api/ragged/ragged_parts.h"
#include "rill/base/error.h"

namespace rill::ragged {
namespace {

using parts::ragged_in;
using parts::under;
using parts::values_of;

// How to reduce: rows of a plain tensor by their segments, and one of its axes (absent: all).
struct Reducer {
  std::function<Output(const Output& data, const Output& ids, const Output& count)> segments;
  std::function<Output(const Output& data, std::optional<int> axis)> dense;
};

Output largest(const Output& lengths) {
  const Output zero = parts::number(0, base_type(lengths.dtype()));
  return raw::Maximum(raw::Max(lengths, parts::all_dimensions(lengths)), zero);
}

// Rows of `data` whose ids agree become one row, as long as the longest of them.
RaggedOrDense in_segments(const Reducer& how, const RaggedOrDense& data, const Output& ids,
                          const Output& count) {
  const RaggedTensor* own = ragged_in(data);
  if (own == nullptr) return how.segments(std::get<Output>(data), ids, count);
  const DType type = own->splits_type();
  const Output lengths = row_lengths(*own);
  const Output longest = raw::Maximum(
      raw::UnsortedSegmentMax(lengths, ids, parts::cast_to(count, type)), parts::number(0, type));
  const Output splits = splits_of_lengths(longest);
  const Output starts = rill::gather(splits, ids);
  const RaggedTensor places =
      range(starts, parts::plus(starts, lengths), 1, {.row_splits_dtype = type});
  return under(splits,
               in_segments(how, values_of(*own), places.flat_values, parts::item(splits, -1)));
}

RaggedOrDense over_axis(const Reducer& how, const RaggedOrDense& x, int axis) {
  const RaggedTensor* own = ragged_in(x);
  if (own == nullptr) return how.dense(std::get<Output>(x), axis);
  if (axis > 1) return under(own->row_splits(), over_axis(how, values_of(*own), axis - 1));
  const DType type = own->splits_type();
  if (axis == 1)
    return in_segments(how, values_of(*own), rowids_of_splits(own->row_splits()), nrows(*own));
  const Output lengths = row_lengths(*own);
  const RaggedTensor columns = range(0, lengths, 1, {.row_splits_dtype = type});
  return in_segments(how, values_of(*own), columns.flat_values, largest(lengths));
}

RaggedOrDense reduced(const Reducer& how, const RaggedTensor& x,
                      const RaggedReduceOptions& options) {
  const auto rank = [&] { return parts::known_rank(x); };
  std::vector<int> axes;
  for (const int axis : options.axes) axes.push_back(parts::positive_axis(axis, rank()));
  std::ranges::sort(axes);
  axes.erase(std::ranges::unique(axes).begin(), axes.end());
  if (axes.empty()) {
    Output all = how.dense(x.flat_values, {});
    for (int i = 0; options.keepdims && i < rank(); ++i) all = raw::ExpandDims(all, 0);
    return all;
  }
  RaggedOrDense result = x;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
    result = over_axis(how, result, *axis);
  for (const int axis : axes)
    if (options.keepdims) result = expand_dims(result, axis);
  return result;
}

using SegmentOp = Output (*)(const Input&, const Input&, const Input&);
using DenseOp = Output (*)(const Input&, const ReduceOptions&, std::source_location);

Reducer reducer(SegmentOp segments, DenseOp dense) {
  return {segments, [dense](const Output& x, std::optional<int> axis) {
            return dense(x, axis ? ReduceOptions{.axis = Input(*axis)} : ReduceOptions{}, {});
          }};
}

Output sums(const Input& x, const Input& ids, const Input& n) {
  return raw::UnsortedSegmentSum(x, ids, n);
}
Output products(const Input& x, const Input& ids, const Input& n) {
  return raw::UnsortedSegmentProd(x, ids, n);
}
Output maxima(const Input& x, const Input& ids, const Input& n) {
  return raw::UnsortedSegmentMax(x, ids, n);
}
Output minima(const Input& x, const Input& ids, const Input& n) {
  return raw::UnsortedSegmentMin(x, ids, n);
}

Output is_one(const Output& x) { return raw::Greater(x, parts::number(0, DType::i32)); }
Output flags(const Input& x) { return parts::cast_to(x, DType::i32); }

Reducer reducer_of(Reduction how) {
  switch (how) {
    case Reduction::kProd:
      return reducer(products, reduce_prod);
    case Reduction::kMax:
      return reducer(maxima, reduce_max);
    case Reduction::kMin:
      return reducer(minima, reduce_min);
    case Reduction::kAny:
      return reducer([](const Input& x, const Input& ids,
                        const Input& n) { return is_one(maxima(flags(x), ids, n)); },
                     reduce_any);
    case Reduction::kAll:
      return reducer([](const Input& x, const Input& ids,
                        const Input& n) { return is_one(minima(flags(x), ids, n)); },
                     reduce_all);
    default:
      return reducer(sums, reduce_sum);
  }
}

RaggedOrDense quotient(const RaggedOrDense& x, const RaggedOrDense& y) {
  if (const RaggedTensor* rows = ragged_in(x))
    return parts::with_flat_values(
        *rows, operators::truediv(rows->flat_values, ragged_in(y)->flat_values, {}));
  return operators::truediv(std::get<Output>(x), std::get<Output>(y), {});
}

RaggedOrDense ones_in_rows(const RaggedOrDense& x) {
  if (const RaggedTensor* rows = ragged_in(x))
    return parts::with_flat_values(*rows, ones_like(rows->flat_values));
  return ones_like(std::get<Output>(x));
}

RaggedOrDense segmented(const Reducer& how, const RaggedOrDense& data, const RaggedOrDense& ids,
                        const Output& count) {
  const RaggedTensor* rows = ragged_in(ids);
  if (rows == nullptr) return in_segments(how, data, std::get<Output>(ids), count);
  const RaggedTensor* own = ragged_in(data);
  require(own != nullptr && own->ragged_rank() >= rows->ragged_rank(),
          "segment_ids.shape must be a prefix of data.shape, but segment_ids is ragged and data "
          "is not.");
  std::vector<Node*> checks;
  parts::check_same_rows(checks, own->row_splits(), rows->row_splits());
  return segmented(how, values_of(*own), values_of(*rows),
                   checks.empty() ? count : parts::after_nodes(checks, count));
}

}  // namespace

RaggedOrDense reduce(Reduction how, const RaggedTensor& input, const RaggedReduceOptions& options,
                     std::source_location at) {
  const Block in(options.name, "RaggedReduce", at);
  const RaggedOrDense result = reduced(reducer_of(how), input, options);
  if (how != Reduction::kMean) return result;
  const RaggedOrDense ones = ones_in_rows(input);
  return quotient(result, reduced(reducer_of(how), std::get<RaggedTensor>(ones), options));
}

RaggedOrDense reduce_join(const RaggedTensor& input, const std::string& separator,
                          const RaggedReduceOptions& options, std::source_location at) {
  const Block in(options.name, "RaggedReduceJoin", at);
  const Reducer join{[&](const Output& x, const Output& ids, const Output& count) {
                       return raw::UnsortedSegmentJoin(x, ids, count, {.separator = separator});
                     },
                     [&](const Output& x, std::optional<int> axis) {
                       const Output axes =
                           axis ? parts::number(*axis, DType::i32) : parts::all_dimensions(x);
                       return raw::ReduceJoin(x, axes, {.separator = separator});
                     }};
  return reduced(join, input, options);
}

RaggedOrDense unsorted_segment(Segments how, const RaggedOrDense& data,
                               const RaggedOrDense& segment_ids, const Input& num_segments,
                               const std::string& name, std::source_location at) {
  const Block in(name, "RaggedSegment", at);
  const Output count = as_tensor(num_segments, "num_segments");
  constexpr SegmentOp kOps[] = {sums, products, maxima, minima, sums, sums};
  const Reducer reduction{kOps[static_cast<int>(how)], {}};
  const RaggedOrDense result = segmented(reduction, data, segment_ids, count);
  if (how != Segments::kMean && how != Segments::kSqrtN) return result;
  RaggedOrDense counts = segmented(reduction, ones_in_rows(data), segment_ids, count);
  if (how == Segments::kMean) return quotient(result, counts);
  if (RaggedTensor* rows = std::get_if<RaggedTensor>(&counts)) {
    rows->flat_values = raw::Sqrt(rows->flat_values);
  } else {
    counts = raw::Sqrt(std::get<Output>(counts));
  }
  return quotient(result, counts);
}

}  // namespace rill::ragged
