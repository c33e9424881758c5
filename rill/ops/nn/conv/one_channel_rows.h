#pragma once

#include <cstdint>

namespace rill {

// Neighbouring results of a convolution whose images have one channel. Tap t of a window lies
// offsets[t] elements after its first one, so that nothing needs to be gathered.
struct OneChannelRow {
  const float* source;       // the first element that the first window sees
  std::int64_t window_step;  // elements between neighbouring windows
  const std::int64_t* offsets;
  std::int64_t taps;
  const float* filter;  // a panel: [taps][panel_width], of which the first `width` are wanted
  float* results;       // of the first window; result_step further on those of the next one
  std::int64_t result_step, windows, width;
};

struct OneChannel {
  std::int64_t panel_width;  // of filters: output channels that are computed together,
  std::int64_t windows;      // for as many windows
  void (*convolve_row)(const OneChannelRow& row);
};

// For the instruction set at hand.
const OneChannel& one_channel();

}  // namespace rill
