#pragma once

#include <limits>
#include <type_traits>

#include "rill/tensor/half.h"

namespace rill {

// half and bfloat16 are stored, but computed with and compared as floats.
template <class T>
inline constexpr bool kIsNarrowFloat = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

// The type that elements of type T are computed with in: float for those two, else T itself.
template <class T>
using Widened = std::conditional_t<kIsNarrowFloat<T>, float, T>;

// x in that type, without a copy where that is its own. Always inlined, because callers are
// compiled for several instruction sets.
template <class T>
[[gnu::always_inline]] inline std::conditional_t<kIsNarrowFloat<T>, float, const T&> widened(
    const T& x) {
  if constexpr (kIsNarrowFloat<T>)
    return static_cast<float>(x);
  else
    return x;
}

// The largest finite number of a real type, and the one below all others.
template <class T>
inline constexpr Widened<T> kHighest = std::numeric_limits<T>::max();
template <>
inline constexpr float kHighest<half> = 65504;
template <>
inline constexpr float kHighest<bfloat16> = 0x1.fep127f;

template <class T>
inline constexpr Widened<T> kLowest = std::numeric_limits<T>::lowest();
template <>
inline constexpr float kLowest<half> = -kHighest<half>;
template <>
inline constexpr float kLowest<bfloat16> = -kHighest<bfloat16>;

}  // namespace rill
