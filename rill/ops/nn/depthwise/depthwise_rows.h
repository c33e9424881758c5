#pragma once

#include <cstdint>
#include <span>

namespace rill {

// The taps of a filter that meet one element along one dimension: tap k lies at filter + k *
// filter_step and meets source + k * source_step.
struct TapRun {
  std::int64_t count = 0, source = 0, filter = 0, source_step = 0, filter_step = 0;
};

// Neighbours [begin, end) in a row that all meet the same three taps, each `step` further on in
// the source.
struct ThreeTaps {
  static constexpr int kTaps = 3;
  std::int64_t begin = 0, end = 0, step = 0;
};
ThreeTaps find_three_taps(std::span<const TapRun> columns);

// What `count` neighbours in a row of results say about three taps that stand side by side, in each
// of `tap_rows` rows of the filter, at most three.
template <class T>
struct ThreeSums {
  T* sums;
  std::int64_t sums_step;  // from one row of the filter to the next
  const T* x;              // what the first result meets at the first tap
  std::int64_t x_step, x_row_step;
  std::int64_t tap_rows;
  const T* dy;
  std::int64_t count, channels;
};

// Loops over channels that are kept apart.
template <class T>
struct DepthwiseRows {
  // A row of results, each with its own taps across: for every channel the sum over all taps of the
  // source times the filter. `alike` says which of them are quick.
  void (*gather)(T* out, const T* source, const T* filter, const TapRun& rows,
                 std::span<const TapRun> columns, const ThreeTaps& alike, std::int64_t channels);
  // sums += x times dy for each channel, summed over `count` elements of both.
  void (*correlate)(T* sums, const T* x, std::int64_t x_step, const T* dy, std::int64_t dy_step,
                    std::int64_t count, std::int64_t channels);
  // The same for three taps at once, so that x and dy are read less often.
  void (*correlate_three)(const ThreeSums<T>& s);
};

template <class T>
const DepthwiseRows<T>& depthwise_rows();  // of float and double

}  // namespace rill
