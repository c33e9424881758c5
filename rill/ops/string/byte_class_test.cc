// Sets of characters replace what RE2 replaces.
#include "rill/ops/string/byte_class.h"

#include <gtest/gtest.h>

#include <random>

#include "rill/ops/kernel_runner.h"

namespace rill {
namespace {

const char* const kSets[] = {"[aeiou]+", "[aeiou]",  "[^a-z0-9 ]+", "\\s+",        "\\d",
                             "\\w+",     "[\\s.,]+", "[-a-c]",      "[a-c-]",      "[^\\w]+",
                             "[!-/]",    "[\\-\\]]", "[\\^a]",      "[a^]+",       "[.*?$|(){}]",
                             "[^\n]+",   "[\t ]+",   "[+]+",        "[a\\d\\s-]+", "[,-]"};

// What the op makes of a text with RE2: a pattern in parentheses is not taken for a set.
std::string replaced(const std::string& text, const std::string& pattern, const std::string& with,
                     bool everywhere) {
  static KernelRunner runners[] = {
      {"RegexReplace", {{"replace_global", false}}, std::vector(3, DType::string), {DType::string}},
      {"RegexReplace", {{"replace_global", true}}, std::vector(3, DType::string), {DType::string}}};
  std::vector<Tensor> tensors;
  for (const std::string& input : {text, "(?:" + pattern + ")", with, std::string()}) {
    tensors.emplace_back(DType::string, Shape{});
    tensors.back().data<std::string>()[0] = input;
  }
  const Tensor out = tensors.back();
  tensors.pop_back();
  runners[everywhere ? 1 : 0].run(tensors, {out});
  return out.data<std::string>()[0];
}

TEST(ByteClass, replaces_what_re2_replaces) {
  std::mt19937 bits(1);
  for (const char* const pattern : kSets) {
    const auto set = ByteClass::of(pattern);
    ASSERT_TRUE(set.has_value()) << pattern;
    for (int i = 0; i < 100; ++i) {
      std::string text(bits() % 40, ' ');
      for (char& c : text)
        c = static_cast<char>(i % 2 == 0 ? bits() % 128 : "abcz01 .,-]\n"[bits() % 12]);
      for (const bool everywhere : {false, true})
        for (const char* const with : {"", "_", "some text"}) {
          std::string out;
          ASSERT_TRUE(set->replace(text, with, everywhere, out));
          ASSERT_EQ(out, replaced(text, pattern, with, everywhere)) << pattern << " in " << text;
        }
    }
  }
}

// All sets of up to four of these characters that are taken for sets mean to RE2 what they do here.
TEST(ByteClass, takes_no_pattern_that_re2_reads_otherwise) {
  const std::string_view characters = "^-]\\[a:ds";
  std::string all;
  for (int c = 1; c < 128; ++c) all += static_cast<char>(c);
  int taken = 0;
  for (int number = 0; number < 9 * 9 * 9 * 9; ++number) {
    std::string pattern = "[";
    for (int digits = number; digits > 0; digits /= 9)
      pattern += characters[static_cast<std::size_t>(digits % 9)];
    pattern += "]";
    const auto set = ByteClass::of(pattern);
    if (!set) continue;
    ++taken;
    std::string out;
    ASSERT_TRUE(set->replace(all, "", true, out));
    ASSERT_EQ(out, replaced(all, pattern, "", true)) << pattern;
  }
  EXPECT_GT(taken, 200);
}

TEST(ByteClass, leaves_other_patterns_alone) {
  for (const char* const pattern :
       {"",      "a",       "ab",   "[",     "[]",    "[]a]",  "[^]",     "[[:alpha:]]", "[a",
        "a]",    "[a]b",    "[a]*", "[a]?",  "[a]++", "[z-a]", "[a-]-z]", "[\\w-z]",     "\\S",
        "[\\S]", "[\\x41]", "\\b",  "[\\n]", "(a)",   "[é]",   "[a-é]",   "+",           "++"})
    EXPECT_FALSE(ByteClass::of(pattern).has_value()) << pattern;
}

TEST(ByteClass, leaves_texts_beyond_ascii_alone) {
  std::string out = "as it was";
  EXPECT_FALSE(ByteClass::of("[^a]+")->replace("é", "_", true, out));
  EXPECT_FALSE(ByteClass::of("[a]+")->replace("a\xff", "_", true, out));
  EXPECT_EQ(out, "as it was");
}

}  // namespace
}  // namespace rill
