#pragma once

#include <cmath>

#include "rill/tensor/half.h"

namespace rill {

// A half that is rounded after every operation, for algorithms that are written once for all types.
class RoundedHalf {
 public:
  RoundedHalf() = default;
  explicit RoundedHalf(double x) : value_(round(static_cast<float>(x))) {}
  explicit RoundedHalf(half x) : value_(static_cast<float>(x)) {}
  explicit operator half() const { return half(value_); }

  friend RoundedHalf operator+(RoundedHalf x, RoundedHalf y) { return of(x.value_ + y.value_); }
  friend RoundedHalf operator-(RoundedHalf x, RoundedHalf y) { return of(x.value_ - y.value_); }
  friend RoundedHalf operator*(RoundedHalf x, RoundedHalf y) { return of(x.value_ * y.value_); }
  friend RoundedHalf operator/(RoundedHalf x, RoundedHalf y) { return of(x.value_ / y.value_); }
  friend RoundedHalf operator-(RoundedHalf x) { return of(-x.value_); }
  friend auto operator<=>(RoundedHalf x, RoundedHalf y) { return x.value_ <=> y.value_; }
  friend bool operator==(RoundedHalf x, RoundedHalf y) { return x.value_ == y.value_; }

  friend RoundedHalf exp(RoundedHalf x) { return of(std::exp(x.value_)); }
  friend RoundedHalf log(RoundedHalf x) { return of(std::log(x.value_)); }
  friend RoundedHalf sqrt(RoundedHalf x) { return of(std::sqrt(x.value_)); }
  friend bool isfinite(RoundedHalf x) { return std::isfinite(x.value_); }

 private:
  static float round(float x) { return static_cast<float>(half(x)); }
  static RoundedHalf of(float x) {
    RoundedHalf result;
    result.value_ = round(x);
    return result;
  }
  float value_ = 0;
};

}  // namespace rill
