#include "rill/base/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace rill {
namespace {

TEST(Glob, matches_as_shells_do) {
  const struct {
    const char *pattern, *name;
    bool matches;
  } kCases[] = {
      {"", "", true},
      {"", "a", false},
      {"a.txt", "a.txt", true},
      {"*", "", true},
      {"*", ".hidden", true},
      {"*.txt", "a.txt", true},
      {"*.txt", "a.txt2", false},
      {"a*b*c", "a1b2b3c", true},
      {"a*b*c", "a1b2b3", false},
      {"?", "", false},
      {"??", "ab", true},
      {"[ab]x", "bx", true},
      {"[ab]x", "cx", false},
      {"[!ab]x", "cx", true},
      {"[^ab]x", "ax", false},
      {"[a-c]", "b", true},
      {"[a-c]", "-", false},
      {"[a-]", "-", true},
      {"[]]", "]", true},
      {"[!]]", "]", false},
      {"\\*", "*", true},
      {"\\*", "a", false},
      {"[", "[", true},
      {"[a", "a", false},
      {"model-????\?-of-*", "model-00001-of-00002", true},
  };
  for (const auto& c : kCases)
    EXPECT_EQ(matches_glob(c.pattern, c.name), c.matches) << c.pattern << " " << c.name;
}

TEST(Glob, many_stars_take_no_exponential_time) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "a*";
  EXPECT_FALSE(matches_glob(pattern + "b", std::string(5000, 'a')));
}

}  // namespace
}  // namespace rill
