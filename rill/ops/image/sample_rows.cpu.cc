#include "rill/ops/image/resample.h"

#define HWY_TARGET_INCLUDE "rill/ops/image/sample_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class T>
void sample_start(float* sums, const T* source, float weight, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) sums[i] = weight * static_cast<float>(source[i]);
}

template <class T>
void sample_add(float* sums, const T* source, float weight, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) sums[i] += weight * static_cast<float>(source[i]);
}

void sample_mix(float* out, const float* a, const float* b, float t, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) out[i] = a[i] + (b[i] - a[i]) * t;
}

void sample_mix_four(float* out, const float* const rows[4], float x, float y, std::int64_t n) {
  const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const float top = a[i] + (b[i] - a[i]) * x, bottom = c[i] + (d[i] - c[i]) * x;
    out[i] = top + (bottom - top) * y;
  }
}

template <int kChannels>
void sample_columns(float* out, const float* row, const Taps& columns) {
  const Taps::Tap* tap = columns.taps.data();
  for (std::int64_t x = 0; x < columns.count(); ++x, out += kChannels) {
    const Taps::Tap* end = columns.taps.data() + columns.begin[static_cast<std::size_t>(x) + 1];
    float sums[kChannels] = {};
    for (; tap != end; ++tap)
      for (int c = 0; c < kChannels; ++c)
        sums[c] += tap->weight * row[std::int64_t{tap->source} * kChannels + c];
    for (int c = 0; c < kChannels; ++c) out[c] = sums[c];
  }
}

void sample_any_columns(float* out, const float* row, const Taps& columns, std::int64_t channels) {
  if (channels == 1) return sample_columns<1>(out, row, columns);
  if (channels == 3) return sample_columns<3>(out, row, columns);
  if (channels == 4) return sample_columns<4>(out, row, columns);
  const Taps::Tap* tap = columns.taps.data();
  for (std::int64_t x = 0; x < columns.count(); ++x, out += channels) {
    const Taps::Tap* end = columns.taps.data() + columns.begin[static_cast<std::size_t>(x) + 1];
    for (std::int64_t c = 0; c < channels; ++c) out[c] = 0;
    for (; tap != end; ++tap) sample_add(out, row + tap->source * channels, tap->weight, channels);
  }
}

}  // namespace

template <class T>
SampleRows<T> rows_for_samples() {
  return {sample_start<T>, sample_add<T>};
}
SampleRows<float> float_samples() { return rows_for_samples<float>(); }
SampleRows<double> double_samples() { return rows_for_samples<double>(); }
SampleRows<std::uint8_t> uint8_samples() { return rows_for_samples<std::uint8_t>(); }
SampleRows<std::int8_t> int8_samples() { return rows_for_samples<std::int8_t>(); }
SampleRows<std::uint16_t> uint16_samples() { return rows_for_samples<std::uint16_t>(); }
SampleRows<std::int16_t> int16_samples() { return rows_for_samples<std::int16_t>(); }
SampleRows<std::int32_t> int32_samples() { return rows_for_samples<std::int32_t>(); }
SampleRows<std::int64_t> int64_samples() { return rows_for_samples<std::int64_t>(); }

using MixSamples = void (*)(float*, const float*, const float*, float, std::int64_t);
MixSamples mixing_samples() { return sample_mix; }
using MixFourSamples = void (*)(float*, const float* const*, float, float, std::int64_t);
MixFourSamples mixing_four_samples() { return sample_mix_four; }
using CombineSamples = void (*)(float*, const float*, const Taps&, std::int64_t);
CombineSamples combining_samples() { return sample_any_columns; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(mixing_samples);
HWY_EXPORT(mixing_four_samples);
HWY_EXPORT(combining_samples);

RILL_DISPATCH_ONCE_FOR(SampleRows<float>, sample_rows, float_samples);
RILL_DISPATCH_ONCE_FOR(SampleRows<double>, sample_rows, double_samples);
RILL_DISPATCH_ONCE_FOR(SampleRows<std::uint8_t>, sample_rows, uint8_samples);
RILL_DISPATCH_ONCE_FOR(SampleRows<std::int8_t>, sample_rows, int8_samples);
RILL_DISPATCH_ONCE_FOR(SampleRows<std::uint16_t>, sample_rows, uint16_samples);
RILL_DISPATCH_ONCE_FOR(SampleRows<std::int16_t>, sample_rows, int16_samples);
RILL_DISPATCH_ONCE_FOR(SampleRows<std::int32_t>, sample_rows, int32_samples);
RILL_DISPATCH_ONCE_FOR(SampleRows<std::int64_t>, sample_rows, int64_samples);

void mix_rows(float* out, const float* a, const float* b, float t, std::int64_t n) {
  static const auto mix = HWY_DYNAMIC_DISPATCH(mixing_samples)();
  mix(out, a, b, t, n);
}
void mix_four_rows(float* out, const float* const rows[4], float x, float y, std::int64_t n) {
  static const auto mix = HWY_DYNAMIC_DISPATCH(mixing_four_samples)();
  mix(out, rows, x, y, n);
}
void combine_columns(float* out, const float* row, const Taps& columns, std::int64_t channels) {
  static const auto combine = HWY_DYNAMIC_DISPATCH(combining_samples)();
  combine(out, row, columns, channels);
}

}  // namespace rill
#endif
