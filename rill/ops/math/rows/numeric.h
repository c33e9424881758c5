#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "rill/tensor/dtype.h"

// Arithmetic that row functors share: integers wrap around, complex products are the plain formula.
// Everything here is always inlined, because callers are compiled for several instruction sets.
namespace rill {

using complex64 = std::complex<float>;
using complex128 = std::complex<double>;

template <class T>
inline constexpr bool kIsComplex = std::is_same_v<T, complex64> || std::is_same_v<T, complex128>;
template <class T>
inline constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

// An unsigned type in which arithmetic on T wraps without undefined behaviour.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
[[gnu::always_inline]] inline T wrapping_add(T a, T b) {
  if constexpr (kIsInteger<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  else
    return a + b;
}

template <class T>
[[gnu::always_inline]] inline T wrapping_sub(T a, T b) {
  if constexpr (kIsInteger<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
  else
    return a - b;
}

template <class T>
[[gnu::always_inline]] inline T wrapping_mul(T a, T b) {
  if constexpr (kIsInteger<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  else if constexpr (kIsComplex<T>)
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  else
    return a * b;
}

// The type whose addition, subtraction and product have the same bits: signed integers wrap like
// unsigned ones, so the two share their loops.
constexpr DType wrapping_type(DType type) {
  switch (type) {
    case DType::i8:
      return DType::u8;
    case DType::i16:
      return DType::u16;
    case DType::i32:
      return DType::u32;
    case DType::i64:
      return DType::u64;
    default:
      return type;
  }
}

}  // namespace rill
