#ifndef TENSORFLOW_CORE_LIB_CORE_BITS_H_
#define TENSORFLOW_CORE_LIB_CORE_BITS_H_

#include "tensorflow/core/platform/types.h"

namespace tensorflow {

inline int Log2Floor(uint32 n) { return n == 0 ? -1 : 31 ^ __builtin_clz(n); }
inline int Log2Floor64(uint64 n) { return n == 0 ? -1 : 63 ^ __builtin_clzll(n); }
inline int Log2Ceiling(uint32 n) {
  const int floor = Log2Floor(n);
  return n == (n & ~(n - 1)) ? floor : floor + 1;
}
inline uint32 NextPowerOfTwo(uint32 value) { return 1u << Log2Ceiling(value); }

}  // namespace tensorflow

#endif
