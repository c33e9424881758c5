#pragma once

#include <bit>
#include <cstdint>

namespace rill {

// Exact, NaN and subnormal numbers included.
float half_to_float(std::uint16_t bits);
// Rounds to nearest even; what is too large becomes infinite, and every NaN the same quiet one.
std::uint16_t float_to_half(float f);

// IEEE binary16 storage: 5 bits of exponent, up to 65504. Arithmetic goes through float and rounds
// after each operation. Conversions are explicit, so that none happens unseen.
struct half {
  std::uint16_t bits = 0;
  half() = default;
  explicit half(float f) : bits(float_to_half(f)) {}
  explicit operator float() const { return half_to_float(bits); }
};

// The upper 16 bits of a float, rounded to nearest even: its range, with 8 bits of precision.
struct bfloat16 {
  std::uint16_t bits = 0;
  bfloat16() = default;
  explicit bfloat16(float f) : bits(round(f)) {}
  explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }

 private:
  static std::uint16_t round(float f) {
    const auto u = std::bit_cast<std::uint32_t>(f);
    if (f != f) return static_cast<std::uint16_t>(((u >> 16) & 0x8000) | 0x7fc0);
    return static_cast<std::uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
  }
};

static_assert(sizeof(half) == 2 && sizeof(bfloat16) == 2);

}  // namespace rill
