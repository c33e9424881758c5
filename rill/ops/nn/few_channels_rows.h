#pragma once

#include <cstdint>

namespace rill {

// One row of results of a convolution whose images have few channels: what a window sees of one row
// of the image lies together, `run` elements, so that nothing needs to be gathered.
struct FewChannelsRow {
  const float* source;       // what the first window sees of its first row
  std::int64_t source_row;   // elements between rows of the image,
  std::int64_t window_step;  // and between neighbouring windows
  std::int64_t window_rows, run;
  const float* filter;  // in panels: [panel][window_rows * run][panel_width]
  float* results;       // [windows][channels]
  std::int64_t windows, channels;
};

struct FewChannels {
  std::int64_t panel_width;  // of filters: output channels that are computed together
  void (*convolve_row)(const FewChannelsRow& row);
};

// For the instruction set at hand.
const FewChannels& few_channels();

}  // namespace rill
