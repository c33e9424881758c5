#include "rill/api/signal/windows.h"

#include <numbers>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/static_value.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/sequences.h"
#include "rill/api/signal/signal_parts.h"

namespace rill::signal {
namespace {

using parts::list_of;

struct RaisedCosine {
  const char* name;
  double middle, depth;
};
constexpr RaisedCosine kHann{"hann_window", 0.5, 0.5};
constexpr RaisedCosine kHamming{"hamming_window", 0.54, 0.46};

// middle - depth * cos(2 pi i / n), where n is the length if the window is periodic, else one less.
Output raised_cosine(const RaisedCosine& kind, const Input& window_length,
                     const WindowOptions& options, std::source_location at) {
  const DType dtype = options.dtype;
  require(kFloatTypes.contains(dtype), "dtype must be a floating point type. Found <dtype: '",
          numpy_name(dtype), "'>");
  const Block in(options.name, kind.name, at);
  const Output length = as_tensor(window_length, "window_length", DType::i32);
  require_scalar(length);
  const auto known = known_number(length);
  if (known == 1) return ones({1}, {.dtype = dtype});
  const Output periodic = cast(as_tensor(options.periodic, "periodic", DType::boolean), DType::i32);
  require_scalar(periodic);
  const Output even = 1 - parts::modulo(length, 2);
  const Output longer = periodic * even;
  const Output n = cast((length + longer) - 1, dtype);
  const Output count = cast(range(length), dtype);
  const Output circle = as_tensor(2 * std::numbers::pi, "Const", dtype);
  const Output angle = (circle * count) / n;
  const auto window = [&] {
    const Output part = kind.depth * raw::Cos(angle);
    return kind.middle - part;
  };
  if (known) return window();
  return cond_one(
      raw::Equal(length, 1), [&] { return ones(list_of({length}), {.dtype = dtype}); }, window);
}

}  // namespace

Output hann_window(const Input& window_length, const WindowOptions& options,
                   std::source_location at) {
  return raised_cosine(kHann, window_length, options, at);
}

Output hamming_window(const Input& window_length, const WindowOptions& options,
                      std::source_location at) {
  return raised_cosine(kHamming, window_length, options, at);
}

WindowFn inverse_stft_window_fn(const Input& frame_step, const InverseStftWindowOptions& options) {
  return [frame_step, options](const Input& frame_length, DType dtype) {
    const Block in(options.name, "inverse_stft_window_fn", std::source_location::current());
    const Output step = as_tensor(frame_step, "frame_step");
    require_scalar(step);
    const Output length = as_tensor(frame_length, "frame_length");
    require_scalar(length);
    const Output forward = options.forward_window_fn(length, dtype);
    // Every sample is seen by several frames; the sum of their weights squared is divided out.
    const Output squares = raw::Square(forward);
    const Output overlaps = rounded_up_quotient(length, step);
    const Output missing = overlaps * step - length;
    const Output padded = pad(squares, list_of({list_of({0, missing})}));
    const Output rows = raw::Reshape(padded, list_of({overlaps, step}));
    const Output sums = reduce_sum(rows, {.axis = 0, .keepdims = true});
    const Output tiled = raw::Tile(sums, list_of({overlaps, 1}));
    const Output flat = raw::Reshape(tiled, list_of({overlaps * step}));
    return forward / head_of(flat, length);
  };
}

}  // namespace rill::signal
