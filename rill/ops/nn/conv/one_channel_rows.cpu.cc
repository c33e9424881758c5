#include "rill/ops/nn/conv/one_channel_rows.h"

#include <algorithm>

#define HWY_TARGET_INCLUDE "rill/ops/nn/conv/one_channel_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"
// Vector types of the target at hand: sums are multiplied and added in one instruction.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// As many windows times two vectors of channels as registers hold sums of.
#if HWY_TARGET == HWY_AVX3
constexpr int kOneWindows = 14;
#elif HWY_TARGET == HWY_AVX2
constexpr int kOneWindows = 6;
#else
constexpr int kOneWindows = 4;
#endif

using OneLanes = hn::ScalableTag<float>;
constexpr std::int64_t kOneWidth = 2 * HWY_LANES(float);

// `count` windows from `first` on, times one panel of the filter. Each result is summed in the same
// order whatever the count.
template <int count, int kStep>
HWY_INLINE void one_channel_windows(const OneChannelRow& row, std::int64_t first) {
  const OneLanes d;
  constexpr auto kLanes = static_cast<std::int64_t>(HWY_LANES(float));
  using V = hn::Vec<OneLanes>;
  V low[count], high[count];
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) low[i] = high[i] = hn::Zero(d);
  const float* filter = row.filter;
  const float* const source = row.source + first * row.window_step;
  const std::int64_t step = kStep > 0 ? kStep : row.window_step;
  float* to = row.results + first * row.result_step;
  for (std::int64_t t = 0; t < row.taps; ++t, filter += kOneWidth) {
    const V f0 = hn::LoadU(d, filter), f1 = hn::LoadU(d, filter + kLanes);
    const float* const from = source + row.offsets[t];
#pragma GCC unroll 16
    for (int i = 0; i < count; ++i) {
      const V x = hn::Set(d, from[i * step]);
      low[i] = hn::MulAdd(x, f0, low[i]);
      high[i] = hn::MulAdd(x, f1, high[i]);
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i, to += row.result_step) {
    if (row.width == kOneWidth) {
      hn::StoreU(low[i], d, to);
      hn::StoreU(high[i], d, to + kLanes);
    } else {
      float part[kOneWidth];
      hn::StoreU(low[i], d, part);
      hn::StoreU(high[i], d, part + kLanes);
      std::copy_n(part, row.width, to);
    }
  }
}

// The windows from `first` on, in blocks of `count`, the last of which may do some of them again;
// what is left where there are fewer, in blocks half as large.
template <int count, int kStep>
void one_channel_blocks(const OneChannelRow& row, std::int64_t first) {
  for (; first + count <= row.windows; first += count)
    one_channel_windows<count, kStep>(row, first);
  if (first == row.windows) return;
  if constexpr (count > 1) {
    const bool are_many = row.windows - first > count / 2;
    if (row.windows >= count && are_many)
      one_channel_windows<count, kStep>(row, row.windows - count);
    else
      one_channel_blocks<count / 2, kStep>(row, first);
  }
}

template <int kStep>
void one_channel_row(const OneChannelRow& row) {
  one_channel_blocks<kOneWindows, kStep>(row, 0);
}

// Steps that are known make the addresses of a block of windows constants.
void one_channel_any(const OneChannelRow& row) {
  switch (row.window_step) {
    case 1:
      return one_channel_row<1>(row);
    case 2:
      return one_channel_row<2>(row);
    default:
      return one_channel_row<0>(row);
  }
}

}  // namespace

OneChannel made_one_channel() { return {kOneWidth, kOneWindows, one_channel_any}; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_ONCE(OneChannel, one_channel, made_one_channel);

}  // namespace rill
#endif
