#ifndef TENSORFLOW_CORE_LIB_MATH_MATH_UTIL_H_
#define TENSORFLOW_CORE_LIB_MATH_MATH_UTIL_H_

#include "tensorflow/core/platform/types.h"

namespace tensorflow {

class MathUtil {
 public:
  template <typename Int>
  static Int CeilOfRatio(Int numerator, Int denominator) {
    const Int q = numerator / denominator, r = numerator % denominator;
    return r != 0 && (r > 0) == (denominator > 0) ? q + 1 : q;
  }
  template <typename Int>
  static Int FloorOfRatio(Int numerator, Int denominator) {
    const Int q = numerator / denominator, r = numerator % denominator;
    return r != 0 && (r > 0) != (denominator > 0) ? q - 1 : q;
  }
  template <typename Int>
  static Int GCD(Int x, Int y) {
    while (y != 0) {
      const Int r = x % y;
      x = y;
      y = r;
    }
    return x;
  }
};

}  // namespace tensorflow

#endif
