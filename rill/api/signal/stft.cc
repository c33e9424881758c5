#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/signal/frames.h"
#include "rill/api/signal/signal_parts.h"
#include "rill/api/signal/transforms.h"

namespace rill::signal {
namespace {

using parts::list_of;

Output scalar_argument(const Input& value, const char* name) {
  const Output scalar = as_tensor(value, name);
  require_scalar(scalar);
  return scalar;
}

// Frames as long as `wanted`, cropped or padded with zeros; they are `size` long where that is
// known.
Output frames_of_length(Output frames, Output wanted, Output size) {
  const Extent to = extent_of(wanted), from = extent_of(size);
  if (to.is_known() && from.is_known()) {
    if (from.number() == to.number()) return frames;
    if (from.number() > to.number()) return first_of_last(frames, to);
    require(frames.shape().has_rank(), "inverse_stft needs a tensor of known rank to pad frames");
    Tensor paddings = Tensor::zeros(DType::i32, {frames.shape().rank(), 2});
    paddings.data<std::int32_t>()[paddings.element_count() - 1] =
        static_cast<std::int32_t>(to.number() - from.number());
    return pad(frames, paddings);
  }
  const Output cropped = first_of_last(frames, wanted);
  const Output count = rank(cropped);
  const Output dims = rill::shape(cropped);
  const Output none = zeros(list_of({count - 1, 2}), {.dtype = math_parts::type_of(wanted)});
  const Output missing = raw::Maximum(0, wanted - parts::item(dims, -1));
  return pad(cropped, concat({none, list_of({list_of({0, missing})})}, 0));
}

}  // namespace

Output stft(const Input& signals, const Input& frame_length, const Input& frame_step,
            const StftOptions& options, std::source_location at) {
  const Block in(options.name, "stft", at);
  const Output x = as_tensor(signals, "signals");
  require_rank_at_least(x, 1);
  const Output length = scalar_argument(frame_length, "frame_length");
  const Output step = scalar_argument(frame_step, "frame_step");
  const Output size = options.fft_length ? as_tensor(*options.fft_length, "fft_length")
                                         : enclosing_power_of_two(length);
  Output frames = frame(x, length, step, {.pad_end = options.pad_end});
  if (options.window_fn) {
    const Output window = options.window_fn(length, math_parts::type_of(frames));
    frames = frames * window;
  }
  return rfft(frames, {.fft_length = list_of({size})});
}

Output inverse_stft(const Input& stfts, const Input& frame_length, const Input& frame_step,
                    const InverseStftOptions& options, std::source_location at) {
  const Block in(options.name, "inverse_stft", at);
  const Output spectra = as_tensor(stfts, "stfts");
  require_rank_at_least(spectra, 2);
  const Output length = scalar_argument(frame_length, "frame_length");
  const Output step = scalar_argument(frame_step, "frame_step");
  const Output size = options.fft_length ? scalar_argument(*options.fft_length, "fft_length")
                                         : enclosing_power_of_two(length);
  Output frames = irfft(spectra, {.fft_length = list_of({size})});
  frames = frames_of_length(frames, length, size);
  if (options.window_fn) {
    const Output window = options.window_fn(length, math_parts::type_of(frames));
    frames = frames * window;
  }
  return overlap_and_add(frames, step);
}

}  // namespace rill::signal
