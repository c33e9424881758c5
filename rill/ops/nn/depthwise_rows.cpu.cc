#include "rill/ops/nn/depthwise_rows.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/nn/depthwise_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3
constexpr int kDepthwiseBytes = 64;
#elif HWY_TARGET == HWY_AVX2
constexpr int kDepthwiseBytes = 32;
#else
constexpr int kDepthwiseBytes = 16;
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

template <class T>
void depthwise_gather(T* out, const T* source, const T* filter, const TapRun& rows,
                      std::span<const TapRun> columns, std::int64_t channels) {
  over_channels<T>(channels, [=](auto zero, std::int64_t c) {
    T* to = out + c;
    for (const TapRun& taps : columns) {
      auto vectors = zero;
      const T *s = source + rows.source + taps.source + c,
              *f = filter + rows.filter + taps.filter + c;
      for (std::int64_t r = 0; r < rows.count; ++r, s += rows.source_step, f += rows.filter_step)
        for (std::int64_t k = 0; k < taps.count; ++k)
          vectors.add_product(s + k * taps.source_step, f + k * taps.filter_step);
      vectors.store(to);
      to += channels;
    }
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

}  // namespace

DepthwiseRows<float> depthwise_float() {
  return {depthwise_gather<float>, depthwise_correlate<float>};
}
DepthwiseRows<double> depthwise_double() {
  return {depthwise_gather<double>, depthwise_correlate<double>};
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(depthwise_float);
HWY_EXPORT(depthwise_double);

template <>
const DepthwiseRows<float>& depthwise_rows() {
  static const DepthwiseRows<float> rows = HWY_DYNAMIC_DISPATCH(depthwise_float)();
  return rows;
}
template <>
const DepthwiseRows<double>& depthwise_rows() {
  static const DepthwiseRows<double> rows = HWY_DYNAMIC_DISPATCH(depthwise_double)();
  return rows;
}

}  // namespace rill
#endif
