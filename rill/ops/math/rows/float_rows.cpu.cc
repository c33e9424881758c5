#include "rill/ops/math/rows/float_rows.h"

#include <bit>
#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define HWY_TARGET_INCLUDE "rill/ops/math/rows/float_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// Branch-free forms of the conversions in tensor/half.h, bit for bit, so that loops vectorise.

inline float from_half(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t magnitude = (bits & 0x7fffu) << 13;
  // Subnormal ones count units of 2^-24. They are counted as integers: as a float such a number
  // would be subnormal too, and kernels run where those are zeros (FlushDenormals).
  const float small = static_cast<float>(static_cast<std::int32_t>(bits & 0x7fffu)) * 0x1p-24f;
  const std::uint32_t finite =
      magnitude < 0x00800000u ? std::bit_cast<std::uint32_t>(small) : magnitude + 0x38000000u;
  const std::uint32_t special = magnitude | 0x7f800000u;  // infinity and NaN keep their fraction
  return std::bit_cast<float>(sign | (magnitude >= 0x0f800000u ? special : finite));
}

inline std::uint16_t to_half(float f) {
  const auto u = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t sign = (u >> 16) & 0x8000u;
  const std::uint32_t magnitude = u & 0x7fffffffu;
  const std::uint32_t small =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  const std::uint32_t normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  std::uint32_t result = magnitude < 0x38800000u ? small : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  result = magnitude > 0x7f800000u ? 0x7e00u : result;
  return static_cast<std::uint16_t>(sign | result);
}

inline std::uint16_t to_bfloat16(float f) {
  const auto u = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t nan = ((u >> 16) & 0x8000u) | 0x7fc0u;
  const std::uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
  return static_cast<std::uint16_t>((u & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

void widen_half(float* out, const void* x, std::size_t n) {
  const auto* bits = static_cast<const std::uint16_t*>(x);
  for (std::size_t i = 0; i < n; ++i) out[i] = from_half(bits[i]);
}

void widen_bfloat16(float* out, const void* x, std::size_t n) {
  const auto* bits = static_cast<const std::uint16_t*>(x);
  for (std::size_t i = 0; i < n; ++i)
    out[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits[i]) << 16);
}

// How many elements from the front on the processor converts itself; it keeps parts of a NaN, which
// we do not, so that those are replaced.
std::size_t narrow_half_by_hardware([[maybe_unused]] std::uint16_t* bits,
                                    [[maybe_unused]] const float* x,
                                    [[maybe_unused]] std::size_t n) {
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX2
  const __m128i nan = _mm_set1_epi16(0x7e00), sign = _mm_set1_epi16(static_cast<short>(0x8000));
  for (; i + 8 <= n; i += 8) {
    const __m256 f = _mm256_loadu_ps(x + i);
    const __m128i h = _mm256_cvtps_ph(f, _MM_FROUND_TO_NEAREST_INT);
    const __m256i wide = _mm256_castps_si256(_mm256_cmp_ps(f, f, _CMP_UNORD_Q));
    const __m128i is_nan =
        _mm_packs_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
    const __m128i replaced = _mm_or_si128(_mm_and_si128(h, sign), nan);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bits + i), _mm_blendv_epi8(h, replaced, is_nan));
  }
#endif
  return i;
}

void narrow_half(void* out, const float* x, std::size_t n) {
  auto* bits = static_cast<std::uint16_t*>(out);
  for (std::size_t i = narrow_half_by_hardware(bits, x, n); i < n; ++i) bits[i] = to_half(x[i]);
}

void narrow_bfloat16(void* out, const float* x, std::size_t n) {
  auto* bits = static_cast<std::uint16_t*>(out);
  for (std::size_t i = 0; i < n; ++i) bits[i] = to_bfloat16(x[i]);
}

}  // namespace

WidenRow widen_row(DType from) {
  return from == DType::f16 ? widen_half : from == DType::bf16 ? widen_bfloat16 : nullptr;
}
NarrowRow narrow_row(DType to) {
  return to == DType::f16 ? narrow_half : to == DType::bf16 ? narrow_bfloat16 : nullptr;
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_BY_TYPE(WidenRow, widen_row, widen_row);
RILL_DISPATCH_BY_TYPE(NarrowRow, narrow_row, narrow_row);

}  // namespace rill
#endif
