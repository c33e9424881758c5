#include "rill/ops/nn/depthwise/depthwise_rows.h"

#include <algorithm>
#include <cstring>

#include "rill/kernel/fast_paths.h"

#define HWY_TARGET_INCLUDE "rill/ops/nn/depthwise/depthwise_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3
constexpr int kDepthwiseBytes = 64, kKeptVectors = 2;  // of each tap, in registers
constexpr int kSummedVectors = 4;                      // of three taps, likewise
#elif HWY_TARGET == HWY_AVX2
constexpr int kDepthwiseBytes = 32, kKeptVectors = 1;
constexpr int kSummedVectors = 2;
#else
constexpr int kDepthwiseBytes = 16, kKeptVectors = 1;
constexpr int kSummedVectors = 2;
#endif

// `count` vectors of consecutive channels, or one channel. Explicit, so that sums stay in
// registers; several, so that they need not wait for each other.
template <class T, int count>
struct ChannelVectors {
  typedef T Vector __attribute__((vector_size(kDepthwiseBytes)));
  static constexpr int kLanes = kDepthwiseBytes / static_cast<int>(sizeof(T));
  static constexpr int kChannels = count * kLanes;
  Vector sums[count] = {};

  void add_product(const T* x, const T* y) {
    for (int i = 0; i < count; ++i) {
      Vector a, b;
      std::memcpy(&a, x + i * kLanes, sizeof a);
      std::memcpy(&b, y + i * kLanes, sizeof b);
      sums[i] += a * b;
    }
  }
  void add_product(const T* x, const ChannelVectors& y) {
    for (int i = 0; i < count; ++i) {
      Vector a;
      std::memcpy(&a, x + i * kLanes, sizeof a);
      sums[i] += a * y.sums[i];
    }
  }
  void add_product(const ChannelVectors& x, const ChannelVectors& y) {
    for (int i = 0; i < count; ++i) sums[i] += x.sums[i] * y.sums[i];
  }
  void load(const T* from) {
    for (int i = 0; i < count; ++i) std::memcpy(&sums[i], from + i * kLanes, sizeof sums[i]);
  }
  void store(T* to) const {
    for (int i = 0; i < count; ++i) std::memcpy(to + i * kLanes, &sums[i], sizeof sums[i]);
  }
};
template <class T>
struct ChannelVectors<T, 0> {
  static constexpr int kChannels = 1;
  T sum = 0;
  void add_product(const T* x, const T* y) { sum += *x * *y; }
  void add_product(const T* x, const ChannelVectors& y) { sum += *x * y.sum; }
  void add_product(const ChannelVectors& x, const ChannelVectors& y) { sum += x.sum * y.sum; }
  void load(const T* from) { sum = *from; }
  void store(T* to) const { *to = sum; }
};

// Calls body(vectors, first channel) until all channels are done.
template <class T, class Body>
inline void over_channels(std::int64_t channels, Body body) {
  std::int64_t c = 0;
  const auto run = [&]<int count>(ChannelVectors<T, count>) {
    constexpr int kStep = ChannelVectors<T, count>::kChannels;
    for (; c + kStep <= channels; c += kStep) body(ChannelVectors<T, count>{}, c);
  };
  run(ChannelVectors<T, 4>{});
  run(ChannelVectors<T, 2>{});
  run(ChannelVectors<T, 1>{});
  run(ChannelVectors<T, 0>{});
}

// Results [begin, end) of a row whose windows all see three rows of three taps: the filter stays in
// registers. Sums have the order of any other window.
template <class T, int count>
void gather_three_by_three(T* out, const T* source, const T* filter, const TapRun& rows,
                           const TapRun& taps, const ThreeTaps& alike, std::int64_t channels) {
  using Vectors = ChannelVectors<T, count>;
  constexpr int kTaps = ThreeTaps::kTaps;
  Vectors kept[kTaps][kTaps];
  for (int r = 0; r < kTaps; ++r)
    for (int k = 0; k < kTaps; ++k)
      kept[r][k].load(filter + r * rows.filter_step + k * taps.filter_step);
  for (std::int64_t i = alike.begin; i < alike.end; ++i, source += alike.step, out += channels) {
    Vectors sum;
#pragma GCC unroll 3
    for (int r = 0; r < kTaps; ++r)
#pragma GCC unroll 3
      for (int k = 0; k < kTaps; ++k)
        sum.add_product(source + r * rows.source_step + k * taps.source_step, kept[r][k]);
    sum.store(out);
  }
}

template <class T>
void depthwise_gather(T* out, const T* source, const T* filter, const TapRun& rows,
                      std::span<const TapRun> columns, const ThreeTaps& alike,
                      std::int64_t channels) {
  // Windows further apart have less in common, and rows are better read once.
  const bool quick =
      rows.count == ThreeTaps::kTaps && alike.begin < alike.end && alike.step == channels;
  const auto begin = quick ? alike.begin : static_cast<std::int64_t>(columns.size());
  const auto end = quick ? alike.end : begin;
  if (quick) {
    std::int64_t done = 0;  // channels
    const TapRun& taps = columns[static_cast<std::size_t>(begin)];
    const T *s = source + rows.source + taps.source, *f = filter + rows.filter + taps.filter;
    const auto run = [&]<int count>(ChannelVectors<T, count>) {
      constexpr int kStep = ChannelVectors<T, count>::kChannels;
      for (; done + kStep <= channels; done += kStep)
        gather_three_by_three<T, count>(out + begin * channels + done, s + done, f + done, rows,
                                        taps, alike, channels);
    };
    run(ChannelVectors<T, kKeptVectors>{});
    run(ChannelVectors<T, 1>{});
    run(ChannelVectors<T, 0>{});
  }
  over_channels<T>(channels, [=](auto zero, std::int64_t c) {
    const auto gather = [&](std::int64_t first, std::int64_t last) {
      T* to = out + first * channels + c;
      for (std::int64_t i = first; i < last; ++i, to += channels) {
        const TapRun& taps = columns[static_cast<std::size_t>(i)];
        auto vectors = zero;
        const T *s = source + rows.source + taps.source + c,
                *f = filter + rows.filter + taps.filter + c;
        for (std::int64_t r = 0; r < rows.count; ++r, s += rows.source_step, f += rows.filter_step)
          for (std::int64_t k = 0; k < taps.count; ++k)
            vectors.add_product(s + k * taps.source_step, f + k * taps.filter_step);
        vectors.store(to);
      }
    };
    gather(0, begin);
    gather(end, static_cast<std::int64_t>(columns.size()));
  });
}

template <class T>
void depthwise_correlate(T* sums, const T* x, std::int64_t x_step, const T* dy,
                         std::int64_t dy_step, std::int64_t count, std::int64_t channels) {
  over_channels<T>(channels, [&](auto vectors, std::int64_t c) {
    vectors.load(sums + c);
    for (std::int64_t i = 0; i < count; ++i)
      vectors.add_product(x + i * x_step + c, dy + i * dy_step + c);
    vectors.store(sums + c);
  });
}

// The channels from c on that `count` vectors hold, or one. Results side by side share two of the
// three pixels of a row. Every sum has the order of correlate.
template <class T, int count, bool kShares>
void correlate_row(const ThreeSums<T>& s, std::int64_t row, std::int64_t c) {
  using Vectors = ChannelVectors<T, count>;
  T* const to = s.sums + row * s.sums_step + c;
  const T* x = s.x + row * s.x_row_step + c;
  const T* dy = s.dy + c;
  const T* const end = dy + s.count * s.channels;
  const std::int64_t channels = s.channels, x_step = s.x_step;
  Vectors sums[ThreeTaps::kTaps], left, middle, right, here;
#pragma GCC unroll 3
  for (int t = 0; t < ThreeTaps::kTaps; ++t) sums[t].load(to + t * channels);
  left.load(x);
  middle.load(x + channels);
  for (; dy != end; dy += channels, x += x_step) {
    if constexpr (!kShares) {
      left.load(x);
      middle.load(x + channels);
    }
    right.load(x + 2 * channels);
    here.load(dy);
    sums[0].add_product(left, here);
    sums[1].add_product(middle, here);
    sums[2].add_product(right, here);
    left = middle;
    middle = right;
  }
#pragma GCC unroll 3
  for (int t = 0; t < ThreeTaps::kTaps; ++t) sums[t].store(to + t * channels);
}

template <class T>
void depthwise_correlate_three(const ThreeSums<T>& s) {
  for (std::int64_t row = 0; row < s.tap_rows; ++row) {
    std::int64_t c = 0;
    const auto run = [&]<int count>(ChannelVectors<T, count>) {
      constexpr int kStep = ChannelVectors<T, count>::kChannels;
      for (; c + kStep <= s.channels; c += kStep)
        s.x_step == s.channels ? correlate_row<T, count, true>(s, row, c)
                               : correlate_row<T, count, false>(s, row, c);
    };
    run(ChannelVectors<T, kSummedVectors>{});
    run(ChannelVectors<T, 2>{});
    run(ChannelVectors<T, 1>{});
    run(ChannelVectors<T, 0>{});
  }
}

}  // namespace

DepthwiseRows<float> depthwise_float() {
  return {depthwise_gather<float>, depthwise_correlate<float>, depthwise_correlate_three<float>};
}
DepthwiseRows<double> depthwise_double() {
  return {depthwise_gather<double>, depthwise_correlate<double>, depthwise_correlate_three<double>};
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

ThreeTaps find_three_taps(std::span<const TapRun> columns) {
  const auto count = static_cast<std::int64_t>(columns.size());
  const auto at = [&](std::int64_t i) -> const TapRun& {
    return columns[static_cast<std::size_t>(i)];
  };
  ThreeTaps found;
  if (count == 0) return found;
  while (found.begin < count && at(found.begin).count != ThreeTaps::kTaps) ++found.begin;
  const TapRun& first = at(std::min(found.begin, count - 1));
  for (found.end = found.begin; found.end < count; ++found.end) {
    const TapRun& taps = at(found.end);
    if (found.end == found.begin + 1) found.step = taps.source - first.source;
    if (taps.count != first.count || taps.filter != first.filter ||
        taps.source_step != first.source_step || taps.filter_step != first.filter_step ||
        taps.source != first.source + (found.end - found.begin) * found.step)
      break;
  }
  if (found.begin < found.end && !takes(FastPath::kDepthwiseTaps)) found.begin = found.end = count;
  return found;
}

RILL_DISPATCH_ONCE_FOR(DepthwiseRows<float>, depthwise_rows, depthwise_float);
RILL_DISPATCH_ONCE_FOR(DepthwiseRows<double>, depthwise_rows, depthwise_double);

}  // namespace rill
#endif
