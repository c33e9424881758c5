#include "rill/ops/nn/conv/small_output_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/nn/conv/small_output_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"
// Vector types of the target at hand: sums are multiplied and added in one instruction.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using FewLanes = hn::ScalableTag<float>;

// As many windows as registers hold sums of.
#if HWY_TARGET == HWY_AVX3
constexpr int kFewWindows[] = {8, 6, 6, 5};
#else
constexpr int kFewWindows[] = {8, 4, 3, 2};
#endif

// `windows` windows from `first` on. Each result is summed in the same order whatever their number.
template <int results, int windows>
HWY_INLINE void small_output_windows(const SmallOutputRow& row, std::int64_t first) {
  const FewLanes d;
  constexpr auto kLanes = static_cast<std::int64_t>(HWY_LANES(float));
  using V = hn::Vec<FewLanes>;
  V sums[windows][results];
#pragma GCC unroll 8
  for (int w = 0; w < windows; ++w)
#pragma GCC unroll 4
    for (int r = 0; r < results; ++r) sums[w][r] = hn::Zero(d);
  for (std::int64_t i = 0; i < row.rows; ++i)
    for (std::int64_t j = 0; j < row.columns; ++j) {
      const float* const from =
          row.source + first * row.window_step + i * row.row_step + j * row.column_step;
      const float* const filter = row.filter + i * row.filter_row_step + j * results * row.channels;
      for (std::int64_t c = 0; c < row.channels; c += kLanes) {
        V factors[results];
#pragma GCC unroll 4
        for (int r = 0; r < results; ++r) factors[r] = hn::LoadU(d, filter + r * row.channels + c);
#pragma GCC unroll 8
        for (int w = 0; w < windows; ++w) {
          const V x = hn::LoadU(d, from + w * row.window_step + c);
#pragma GCC unroll 4
          for (int r = 0; r < results; ++r) sums[w][r] = hn::MulAdd(x, factors[r], sums[w][r]);
        }
      }
    }
#pragma GCC unroll 8
  for (int w = 0; w < windows; ++w)
#pragma GCC unroll 4
    for (int r = 0; r < results; ++r)
      row.results[(first + w) * results + r] = hn::GetLane(hn::SumOfLanes(d, sums[w][r]));
}

template <int results>
void small_output_row(const SmallOutputRow& row) {
  constexpr int kWindows = kFewWindows[results - 1];
  std::int64_t first = 0;
  for (; first + kWindows <= row.windows; first += kWindows)
    small_output_windows<results, kWindows>(row, first);
  for (; first < row.windows; ++first) small_output_windows<results, 1>(row, first);
}

}  // namespace

SmallOutput made_small_output() {
  return {static_cast<std::int64_t>(HWY_LANES(float)),
          {small_output_row<1>, small_output_row<2>, small_output_row<3>, small_output_row<4>}};
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_ONCE(SmallOutput, small_output, made_small_output);

}  // namespace rill
#endif
