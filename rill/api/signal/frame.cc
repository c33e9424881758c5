#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/static_value.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/sequences.h"
#include "rill/api/signal/frames.h"
#include "rill/api/signal/signal_parts.h"

namespace rill::signal {
namespace {

using parts::ints;
using parts::item;
using parts::list_of;
using Numbers = std::vector<std::int64_t>;

// A signal and the dimension of its samples; values where they are known, else tensors.
struct Framed {
  Output signal;
  Input dims = 0, outer = 0, inner = 0;  // all dimensions, those before and those behind
  Extent axis = 0, samples = 0;
  Output outer_count, inner_count;
};

void split_known(Framed& f, std::int64_t axis) {
  const Numbers dims(f.signal.shape().dims().begin(), f.signal.shape().dims().end());
  const int at = canonical_axis(axis, f.signal.shape().rank());
  f.dims = ints(dims);
  f.outer = ints(Numbers(dims.begin(), dims.begin() + at));
  f.inner = ints(Numbers(dims.begin() + at + 1, dims.end()));
  f.axis = at;
  f.samples = dims[static_cast<std::size_t>(at)];
}

// axis as an index from the front, in a tensor.
Output axis_tensor(Output rank, Output axis) {
  const Output all = range(rank);
  if (const auto known = known_number(axis)) return item(all, *known);
  return slice(all, {Input(axis)});
}

void split_unknown(Framed& f, Output dims, Output axis) {
  const Output count = rank(f.signal);
  const Output at = axis_tensor(count, axis);
  const Output last = count - 1;
  const Output behind = last - at;
  const Output sizes = as_tensor(list_of({at, 1, behind}), "packed");
  const std::vector<Output> split = split_sizes(dims, sizes);
  f.dims = dims;
  f.outer = split[0];
  f.inner = split[2];
  f.axis = at;
  f.samples = raw::Reshape(split[1], ints({}));
}

Framed split_at_axis(Output signal, Output axis) {
  Framed f;
  f.signal = signal;
  const Output dims = shape(signal);
  const auto known_axis = known_number(axis);
  if (signal.shape().is_full() && known_axis)
    split_known(f, *known_axis);
  else
    split_unknown(f, dims, axis);
  f.outer_count = size(f.outer);
  f.inner_count = size(f.inner);
  return f;
}

// Adds samples so that `count` frames are full.
void pad_end(Framed& f, Output count, Output length, Output step, Output value) {
  const Output steps = step * (count - 1);
  const Output wanted = length + steps;
  const Output missing =
      raw::Maximum(0, operators::sub(wanted, f.samples.input(), std::source_location::current()));
  const auto none = [](Output dims) { return zeros(list_of({dims, 2}), {.dtype = DType::i32}); };
  const Output before = none(f.outer_count);
  const Output behind = as_tensor(list_of({list_of({0, missing})}), "packed");
  const Output after = none(f.inner_count);
  const PartialShape unpadded = f.signal.shape();
  f.signal = pad(f.signal, concat({before, behind, after}, 0), {.constant_values = value});
  const auto known_length = known_number(length), known_step = known_number(step);
  if (f.axis.is_known() && f.samples.is_known() && known_length && known_step) {
    const std::int64_t samples = f.samples.number();
    const std::int64_t frames = (samples + *known_step - 1) / *known_step;
    const std::int64_t full = std::max(samples, *known_length + *known_step * (frames - 1));
    const int axis = static_cast<int>(f.axis.number());
    default_graph()->refine_shape(f.signal, unpadded.with_dim(axis, full));
  }
  const Output dims = shape(f.signal);
  f.dims = dims;
  f.samples = slice(dims, {f.axis.input()});
}

Output frame_count(const Framed& f, Output length, Output step, bool padded) {
  const auto at = std::source_location::current();
  if (padded) {
    const Extent negated = -f.samples;
    return raw::Neg(operators::floordiv(negated.input(), step, at));
  }
  const Output none = as_tensor(0, "Const", math_parts::type_of(length));
  const Output more = operators::sub(f.samples.input(), length, at);
  return raw::Maximum(none, 1 + operators::floordiv(more, step, at));
}

// What is known of the result: the samples' dimension becomes frames and their length.
PartialShape framed_shape(const PartialShape& shape, std::optional<std::int64_t> axis,
                          Output length, Output step, bool padded) {
  if (!shape.has_rank() || !axis) return {};
  const int at = canonical_axis(*axis, shape.rank());
  const auto known_length = known_number(length), known_step = known_number(step);
  std::int64_t count = -1;
  if (shape[at] >= 0 && known_length && known_step && *known_step > 0) {
    const std::int64_t steps = padded ? shape[at] + *known_step - 1 : shape[at] - *known_length;
    count = padded ? steps / *known_step : (steps < 0 ? 0 : 1 + steps / *known_step);
  }
  PartialShape result = PartialShape::scalar();
  for (int i = 0; i < shape.rank(); ++i) {
    if (i != at) {
      result.add_dim(shape[i]);
      continue;
    }
    result.add_dim(count);
    result.add_dim(known_length.value_or(-1));
  }
  return result;
}

// The frames, put together from pieces as long as length and step have in common.
Output gathered(const Framed& f, Output count, Output length, Output step) {
  const auto at = std::source_location::current();
  const Extent piece = extent_of(gcd(length, step));
  const Output per_frame = operators::floordiv(length, piece.input(), at);
  const Output per_step = operators::floordiv(step, piece.input(), at);
  const Extent pieces = floor_div(f.samples, piece);
  const Input used_samples = list_of({(pieces * piece).input()});
  const Output used = concat({f.outer, used_samples, f.inner}, 0);
  const Input piece_dims = list_of({pieces.input(), piece.input()});
  const Output cut = concat({f.outer, piece_dims, f.inner}, 0);
  const Output begin = zeros_like(f.dims);
  const Output all = raw::Reshape(strided_slice(f.signal, begin, used), cut);
  const Output starts = range(count) * per_step;
  const Output first = raw::Reshape(starts, list_of({count, 1}));
  const Output within = raw::Reshape(range(per_frame), list_of({1, per_frame}));
  const Output selected = first + within;
  const Output outer = as_tensor(f.outer), inner = as_tensor(f.inner);
  const Output middle = as_tensor(list_of({count, length}), "packed");
  const Output frames = gather(all, selected, {.axis = f.axis.input()});
  return raw::Reshape(frames, concat({outer, middle, inner}, 0));
}

}  // namespace

Output frame(const Input& signal, const Input& frame_length, const Input& frame_step,
             const FrameOptions& options, std::source_location at) {
  const Block in(options.name, "frame", at);
  const Output given = as_tensor(signal, "signal");
  const Output length = as_tensor(frame_length, "frame_length");
  const Output step = as_tensor(frame_step, "frame_step");
  const Output axis = as_tensor(options.axis, "axis");
  require_rank_at_least(given, 1);
  for (const Output& scalar : {length, step, axis}) require_scalar(scalar);
  const auto known_step = known_number(step);
  require(!known_step || *known_step > 0, "frame_step must be positive, got ",
          known_step.value_or(0));
  const PartialShape known =
      framed_shape(given.shape(), known_number(axis), length, step, options.pad_end);
  Framed f = split_at_axis(given, axis);
  Output padding;
  if (options.pad_end) padding = as_tensor(options.pad_value, "Const", math_parts::type_of(given));
  const Output count = frame_count(f, length, step, options.pad_end);
  if (options.pad_end) pad_end(f, count, length, step, padding);
  const Output result = gathered(f, count, length, step);
  if (known.has_rank()) default_graph()->refine_shape(result, known);
  return result;
}

}  // namespace rill::signal
