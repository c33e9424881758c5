#include "rill/ops/nn/few_channels_rows.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/nn/few_channels_rows.cpu.cc"
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
constexpr int kFewWindows = 14;
#elif HWY_TARGET == HWY_AVX2
constexpr int kFewWindows = 6;
#else
constexpr int kFewWindows = 4;
#endif

using FewLanes = hn::ScalableTag<float>;
constexpr std::int64_t kFewWidth = 2 * HWY_LANES(float);

// `count` windows from `first` on, times one panel of the filter. Each result is summed in the same
// order whatever the count.
template <int count, int kStep>
HWY_INLINE void few_windows(const FewChannelsRow& row, std::int64_t first, std::int64_t channel) {
  const FewLanes d;
  constexpr auto kLanes = static_cast<std::int64_t>(HWY_LANES(float));
  using V = hn::Vec<FewLanes>;
  V low[count], high[count];
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i) low[i] = high[i] = hn::Zero(d);
  const float* filter = row.filter + channel / kFewWidth * (row.window_rows * row.run * kFewWidth);
  const float* source = row.source + first * row.window_step;
  const std::int64_t step = kStep > 0 ? kStep : row.window_step;
  for (std::int64_t r = 0; r < row.window_rows; ++r, source += row.source_row) {
    const float* from = source;
    for (const float* const end = source + row.run; from != end; ++from, filter += kFewWidth) {
      const V f0 = hn::LoadU(d, filter), f1 = hn::LoadU(d, filter + kLanes);
#pragma GCC unroll 16
      for (int i = 0; i < count; ++i) {
        const V x = hn::Set(d, from[i * step]);
        low[i] = hn::MulAdd(x, f0, low[i]);
        high[i] = hn::MulAdd(x, f1, high[i]);
      }
    }
  }
  const std::int64_t width = std::min(kFewWidth, row.channels - channel);
  float* to = row.results + first * row.channels + channel;
#pragma GCC unroll 16
  for (int i = 0; i < count; ++i, to += row.channels) {
    if (width == kFewWidth) {
      hn::StoreU(low[i], d, to);
      hn::StoreU(high[i], d, to + kLanes);
    } else {
      float part[kFewWidth];
      hn::StoreU(low[i], d, part);
      hn::StoreU(high[i], d, part + kLanes);
      std::copy_n(part, width, to);
    }
  }
}

template <int kStep>
void few_channels_row(const FewChannelsRow& row) {
  for (std::int64_t channel = 0; channel < row.channels; channel += kFewWidth) {
    std::int64_t first = 0;
    for (; first + kFewWindows <= row.windows; first += kFewWindows)
      few_windows<kFewWindows, kStep>(row, first, channel);
    if (first < row.windows && row.windows >= kFewWindows) {
      few_windows<kFewWindows, kStep>(row, row.windows - kFewWindows,
                                      channel);  // some of them again
      continue;
    }
    for (; first < row.windows; ++first) few_windows<1, kStep>(row, first, channel);
  }
}

void few_channels_any(const FewChannelsRow& row) {
  switch (row.window_step) {
    case 1:
      return few_channels_row<1>(row);
    case 3:
      return few_channels_row<3>(row);
    case 6:
      return few_channels_row<6>(row);
    default:
      return few_channels_row<0>(row);
  }
}

}  // namespace

FewChannels made_few_channels() { return {kFewWidth, few_channels_any}; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(made_few_channels);

const FewChannels& few_channels() {
  static const FewChannels found = HWY_DYNAMIC_DISPATCH(made_few_channels)();
  return found;
}

}  // namespace rill
#endif
