#pragma once

#include <cstdint>

namespace rill {

// Neighbouring results of a convolution to a few channels. Each is a sum over the channels of all
// pixels that its window sees, so vectors run along those.
struct SmallOutputRow {
  const float* source;  // the first pixel that the first window sees
  std::int64_t channels, window_step, rows, row_step, columns, column_step;  // steps in elements
  const float* filter;  // [rows][columns][results][channels]; rows lie filter_row_step apart
  std::int64_t filter_row_step;
  float* results;  // [windows][results]
  std::int64_t windows;
};

struct SmallOutput {
  static constexpr int kMax = 4;                          // channels of results
  std::int64_t lanes;                                     // `channels` must be a multiple
  void (*convolve_row[kMax])(const SmallOutputRow& row);  // for 1, 2, ... results
};

// For the instruction set at hand.
const SmallOutput& small_output();

}  // namespace rill
