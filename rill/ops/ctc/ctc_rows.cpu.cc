#include "rill/ops/ctc/ctc_rows.h"

#include <bit>

#define HWY_TARGET_INCLUDE "rill/ops/ctc/ctc_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

constexpr std::uint64_t kMantissaBits = (std::uint64_t{1} << 52) - 1;
constexpr std::uint64_t kOneBits = std::uint64_t{1023} << 52;
constexpr double kLowestPower = -1022, kHighestPower = 1023;

// 2^x for a whole x, which is brought into [-1022, 1023]: adding 1.5 x 2^52 leaves x + 1023 in the
// lowest bits, where a shift finds it.
inline double power_of_two(double x) {
  x = x > kLowestPower ? x : kLowestPower;
  x = x < kHighestPower ? x : kHighestPower;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x + (0x1.8p52 + 1023)) << 52);
}

// The exponent of a positive normal number, the same way back.
inline double exponent_of(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) >> 52 |
                               std::bit_cast<std::uint64_t>(0x1p52)) -
         (0x1p52 + 1023);
}

inline double larger(double a, double b) { return a > b ? a : b; }

void ctc_advance(WideNumbers to, WideNumbers from, const double* stay, const double* skip,
                 std::int64_t begin, std::int64_t end) {
#pragma GCC ivdep
  for (std::int64_t i = begin; i < end; ++i) {
    const double lasting = from.exponent[i] + stay[i];
    const double next = from.exponent[i - 1];
    const double skipping = from.exponent[i - 2] + skip[i];
    const double top = larger(lasting, larger(next, skipping));
    const double sum = from.mantissa[i] * power_of_two(lasting - top) +
                       from.mantissa[i - 1] * power_of_two(next - top) +
                       from.mantissa[i - 2] * power_of_two(skipping - top);
    to.mantissa[i] =
        std::bit_cast<double>((std::bit_cast<std::uint64_t>(sum) & kMantissaBits) | kOneBits);
    to.exponent[i] = top + exponent_of(sum);
  }
}

void ctc_weigh(WideNumbers row, WideNumbers factors, const std::int32_t* slots,
               std::int64_t count) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) {
    row.mantissa[i] *= factors.mantissa[slots[i]];
    row.exponent[i] += factors.exponent[slots[i]];
  }
}

void ctc_multiply(double* out, WideNumbers a, WideNumbers b, std::int64_t count, double scale,
                  double exponent) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i)
    out[i] = a.mantissa[i] * b.mantissa[-i] * scale *
             power_of_two(a.exponent[i] + b.exponent[-i] + exponent);
}

}  // namespace

const CtcRows& ctc_rows_here() {
  static constexpr CtcRows kRows{ctc_advance, ctc_weigh, ctc_multiply};
  return kRows;
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(ctc_rows_here);

const CtcRows& ctc_rows() { return HWY_DYNAMIC_DISPATCH(ctc_rows_here)(); }

}  // namespace rill
#endif
