#ifndef TENSORFLOW_CORE_FRAMEWORK_BOUNDS_CHECK_H_
#define TENSORFLOW_CORE_FRAMEWORK_BOUNDS_CHECK_H_

#include <type_traits>

#include "tensorflow/core/platform/macros.h"

namespace tensorflow {

// True if index is in [0, limit).
template <typename Ta, typename Tb>
inline bool FastBoundsCheck(const Ta index, const Tb limit) {
  static_assert(std::is_integral<Ta>::value && std::is_integral<Tb>::value,
                "FastBoundsCheck is for integers");
  typedef typename std::make_unsigned<decltype(index + limit)>::type Unsigned;
  return TF_PREDICT_TRUE(static_cast<Unsigned>(index) < static_cast<Unsigned>(limit));
}

namespace internal {
// Reads a value once, so that it cannot change between a check and its use.
template <typename T>
inline const T SubtleMustCopy(const T& x) {
  const T* volatile address = &x;
  return *address;
}
}  // namespace internal

}  // namespace tensorflow

#endif
