#pragma once

#include <functional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::signal {

struct WindowOptions {
  Input periodic = true;  // for spectra; false: symmetric, for filters
  DType dtype = DType::f32;
  std::string name = {};
};
// Raised cosines: a - b cos(2 pi i / n), with a = b = 0.5 for Hann, 0.54 and 0.46 for Hamming.
// Throw InvalidArgument unless `dtype` is a type of floats and the length a scalar.
Output hann_window(const Input& window_length, const WindowOptions& options = {},
                   std::source_location at = std::source_location::current());
Output hamming_window(const Input& window_length, const WindowOptions& options = {},
                      std::source_location at = std::source_location::current());

// What weighs the samples of a frame of this length; an empty one weighs none.
using WindowFn = std::function<Output(const Input& window_length, DType dtype)>;
inline Output default_window(const Input& window_length, DType dtype) {
  return hann_window(window_length, {.dtype = dtype});
}

struct InverseStftWindowOptions {
  WindowFn forward_window_fn = default_window;
  std::string name = {};
};
// The window with which inverse_stft makes the signal again that stft saw under
// `forward_window_fn`.
WindowFn inverse_stft_window_fn(const Input& frame_step,
                                const InverseStftWindowOptions& options = {});

}  // namespace rill::signal
