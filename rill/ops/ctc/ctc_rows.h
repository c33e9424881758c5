#pragma once

#include <cstdint>

namespace rill {

// Numbers of any size, each mantissa x 2^exponent: probabilities of whole sequences leave the range
// of double. Exponents are doubles, which vectorise where integers of 64 bits do not.
struct WideNumbers {
  double* mantissa;
  double* exponent;

  WideNumbers operator+(std::int64_t i) const { return {mantissa + i, exponent + i}; }
};
inline constexpr double kZeroExponent = -1e15;  // and below: the number is 0

inline bool is_zero(double exponent) { return exponent < kZeroExponent / 2; }
inline void set_zeros(WideNumbers row, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    row.mantissa[i] = 1;
    row.exponent[i] = kZeroExponent;
  }
}

struct CtcRows {
  // For i in [begin, end): to[i] = stay[i] from[i] + from[i - 1] + skip[i] from[i - 2], where
  // `stay` and `skip` are given as exponents.
  void (*advance)(WideNumbers to, WideNumbers from, const double* stay, const double* skip,
                  std::int64_t begin, std::int64_t end);
  // row[i] *= factors[slots[i]]
  void (*weigh)(WideNumbers row, WideNumbers factors, const std::int32_t* slots,
                std::int64_t count);
  // out[i] = a[i] x b[-i] x scale x 2^exponent, for two rows that run against each other.
  void (*multiply)(double* out, WideNumbers a, WideNumbers b, std::int64_t count, double scale,
                   double exponent);
};
const CtcRows& ctc_rows();

}  // namespace rill
