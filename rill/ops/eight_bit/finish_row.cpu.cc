#define HWY_TARGET_INCLUDE "rill/ops/eight_bit/finish_row.cpu.cc"
#define RILL_WIDE_LOOPS
#include "rill/ops/eight_bit/finish_row.h"

#include <algorithm>
#include <cmath>

#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {

constexpr std::size_t kBlock = 256;

template <class T>
void add_scaled(float* __restrict values, const T* __restrict more, float scale, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) values[i] += static_cast<float>(more[i]) * scale;
}

void load_block(const FinishRow& row, std::size_t at, std::size_t n, float* __restrict values) {
  const std::int32_t* __restrict sums = row.sums + at;
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(sums[i]);
  if (const float* __restrict bias = row.bias; bias != nullptr)
    for (std::size_t i = 0; i < n; ++i) values[i] += bias[at + i];
  if (const float* __restrict scale = row.scale; scale != nullptr)
    for (std::size_t i = 0; i < n; ++i) values[i] *= scale[at + i];
  if (row.unsigned_summand != nullptr)
    add_scaled(values, row.unsigned_summand + at, row.summand_scale, n);
  if (row.signed_summand != nullptr)
    add_scaled(values, row.signed_summand + at, row.summand_scale, n);
  if (const float* __restrict more = row.float_summand, * __restrict scale = row.float_scale;
      more != nullptr)
    for (std::size_t i = 0; i < n; ++i) values[i] += more[at + i] * scale[at + i];
  if (row.rectifies)
    for (std::size_t i = 0; i < n; ++i) values[i] = std::max(0.0f, values[i]);
}

// The ends are what floats have within T.
template <class T>
void store_row(const FinishRow& row, T* out, float lowest, float highest) {
  alignas(64) float values[kBlock];
  for (std::size_t at = 0; at < row.count; at += kBlock) {
    const std::size_t n = std::min(kBlock, row.count - at);
    load_block(row, at, n, values);
    T* __restrict to = out + at;
    for (std::size_t i = 0; i < n; ++i) {
      const float rounded = __builtin_nearbyintf(values[i]);
      to[i] =
          static_cast<T>(static_cast<std::int32_t>(std::min(highest, std::max(lowest, rounded))));
    }
  }
}

void finish_words(const FinishRow& row, std::int32_t* out) {
  store_row(row, out, -2147483648.0f, 2147483520.0f);
}
void finish_unsigned(const FinishRow& row, std::uint8_t* out) { store_row(row, out, 0, 255); }
void finish_signed(const FinishRow& row, std::int8_t* out) { store_row(row, out, -128, 127); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {
namespace {

HWY_EXPORT(finish_words);
HWY_EXPORT(finish_unsigned);
HWY_EXPORT(finish_signed);

}  // namespace

void finish_row(const FinishRow& row, std::int32_t* out) {
  HWY_DYNAMIC_DISPATCH(finish_words)(row, out);
}
void finish_row(const FinishRow& row, std::uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(finish_unsigned)(row, out);
}
void finish_row(const FinishRow& row, std::int8_t* out) {
  HWY_DYNAMIC_DISPATCH(finish_signed)(row, out);
}

}  // namespace rill
#endif
