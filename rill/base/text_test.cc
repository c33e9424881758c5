#include "rill/base/text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace rill {
namespace {

TEST(Text, pieces) {
  EXPECT_EQ(str_cat("a", std::string("b"), std::string_view("c"), 'd', 1, -2L, 3u, true, 0.5),
            "abcd1-23true0.5");
  EXPECT_EQ(str_cat(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(str_cat(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(str_cat(std::int8_t{-5}, std::uint8_t{200}), "-5200");
  EXPECT_EQ(str_cat(static_cast<const char*>(nullptr)), "(null)");
  EXPECT_EQ(str_cat(), "");
}

TEST(Text, join_and_split_are_opposites) {
  EXPECT_EQ(join({}, ","), "");
  EXPECT_EQ(join({"", "a", ""}, ","), ",a,");
  EXPECT_EQ(split(",a,", ','), (std::vector<std::string_view>{"", "a", ""}));
  EXPECT_EQ(split("", ','), std::vector<std::string_view>{""});
}

TEST(Text, strip_and_lower) {
  EXPECT_EQ(strip(" \t a b\r\n"), "a b");
  EXPECT_EQ(strip(" \n"), "");
  EXPECT_EQ(lower("AbC-\xc3\x84"), "abc-\xc3\x84");
}

TEST(Text, quoted_escapes_special_characters) {
  EXPECT_EQ(quoted("a\"\\\n"), "\"a\\\"\\\\\\n\"");
  EXPECT_EQ(quoted("\t\r"), "\"\\t\\r\"");
  EXPECT_EQ(quoted(std::string_view("\0\x7f\xff", 3)), "\"\\000\\177\\377\"");
}

TEST(Text, numbers_must_be_the_whole_string_and_in_range) {
  long long i = 0;
  EXPECT_TRUE(parse_int("-9223372036854775808", &i));
  EXPECT_EQ(i, std::numeric_limits<long long>::min());
  for (const char* bad : {"", "-", "1x", " 1", "9223372036854775808"})
    EXPECT_FALSE(parse_int(bad, &i)) << bad;
  double f = 0;
  EXPECT_TRUE(parse_float("-1.5e3", &f));
  EXPECT_EQ(f, -1500);
  for (const char* bad : {"", "1.5.", "e", "1e999"}) EXPECT_FALSE(parse_float(bad, &f)) << bad;
}

}  // namespace
}  // namespace rill
