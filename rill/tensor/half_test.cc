#include "rill/tensor/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace rill {
namespace {

half half_of(int bits) {
  half h;
  h.bits = static_cast<std::uint16_t>(bits);
  return h;
}

// The value by the definition of binary16.
double defined_value(int bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

TEST(Half, every_value_is_what_its_bits_say_and_survives_a_float) {
  for (int bits = 0; bits < 65536; ++bits) {
    const auto f = static_cast<float>(half_of(bits));
    const double value = defined_value(bits);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(f)) << bits;
      ASSERT_TRUE(std::isnan(static_cast<float>(half(f)))) << bits;
      continue;
    }
    ASSERT_EQ(f, value) << bits;
    ASSERT_EQ(std::signbit(f), std::signbit(value)) << bits;
    ASSERT_EQ(half(f).bits, bits);
  }
}

TEST(Half, rounds_to_nearest_even_between_all_neighbours) {
  for (int bits = 0; bits < 0x7bff; ++bits) {
    const double low = defined_value(bits), high = defined_value(bits + 1);
    const auto middle = static_cast<float>((low + high) / 2);
    const int even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(half(middle).bits, even) << bits;
    ASSERT_EQ(half(-middle).bits, even | 0x8000) << bits;
    ASSERT_EQ(half(std::nextafterf(middle, 0)).bits, bits);
    ASSERT_EQ(half(std::nextafterf(middle, INFINITY)).bits, bits + 1);
  }
}

TEST(Half, ends_of_the_range) {
  EXPECT_EQ(half(65504.0f).bits, 0x7bff);
  EXPECT_EQ(half(65519.996f).bits, 0x7bff);
  EXPECT_EQ(half(65520.0f).bits, 0x7c00);
  EXPECT_EQ(half(-1e30f).bits, 0xfc00);
  EXPECT_EQ(half(INFINITY).bits, 0x7c00);
  EXPECT_EQ(half(0x1p-25f).bits, 0);
  EXPECT_EQ(half(-0.0f).bits, 0x8000);
  EXPECT_EQ(half(1e-45f).bits, 0);
  EXPECT_EQ(half(NAN).bits, 0x7e00);
  EXPECT_EQ(half(-NAN).bits, 0xfe00);
}

TEST(BFloat16, is_the_upper_half_of_a_float) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto f = std::bit_cast<float>(bits << 16);
    if (std::isnan(f)) {
      ASSERT_TRUE(std::isnan(static_cast<float>(bfloat16(f)))) << bits;
    } else {
      ASSERT_EQ(bfloat16(f).bits, bits);
      ASSERT_EQ(static_cast<float>(bfloat16(f)), f);
    }
  }
}

TEST(BFloat16, rounds_to_nearest_even) {
  const auto rounded = [](std::uint32_t bits) { return bfloat16(std::bit_cast<float>(bits)).bits; };
  EXPECT_EQ(rounded(0x3f808000), 0x3f80);
  EXPECT_EQ(rounded(0x3f808001), 0x3f81);
  EXPECT_EQ(rounded(0x3f818000), 0x3f82);
  EXPECT_EQ(rounded(0x3f817fff), 0x3f81);
  EXPECT_EQ(rounded(0x7f7fffff), 0x7f80);
  EXPECT_EQ(rounded(0x7f800001), 0x7fc0);
  EXPECT_EQ(rounded(0xffc12345), 0xffc0);
}

}  // namespace
}  // namespace rill
