#include "rill/tensor/narrow_float.h"

#include <gtest/gtest.h>

#include <string>

namespace rill {
namespace {

static_assert(std::is_same_v<Widened<half>, float> && std::is_same_v<Widened<bfloat16>, float>);
static_assert(std::is_same_v<Widened<double>, double> && std::is_same_v<Widened<int>, int>);

TEST(NarrowFloat, half_types_are_widened_and_others_are_not_copied) {
  EXPECT_EQ(widened(half(1.5f)), 1.5f);
  EXPECT_EQ(widened(bfloat16(-2.0f)), -2.0f);
  const std::string text = "a text that would need memory of its own";
  EXPECT_EQ(&widened(text), &text);
}

// The next larger number of bits is infinity.
TEST(NarrowFloat, limits_are_the_last_finite_numbers) {
  EXPECT_EQ(half(kHighest<half>).bits, 0x7bff);
  EXPECT_EQ(half(kLowest<half>).bits, 0xfbff);
  EXPECT_EQ(bfloat16(kHighest<bfloat16>).bits, 0x7f7f);
  EXPECT_EQ(bfloat16(kLowest<bfloat16>).bits, 0xff7f);
  EXPECT_EQ(kHighest<std::int8_t>, 127);
  EXPECT_EQ(kLowest<float>, -std::numeric_limits<float>::max());
}

}  // namespace
}  // namespace rill
