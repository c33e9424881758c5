#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor searched_texts() {
  return tensor<std::string>(
      {3, 3}, {"", "aabb", "xay", "abc abd",
               "a\xc3\xb1"
               "b\xe6\x97\xa5",
               std::string("a\0b\n", 4),
               "\xff\xfe"
               "a",
               "2024-11-15", "a text long enough to lie on the heap, and again: text"});
}

void add_replace(std::vector<OpCase>& cases, const Tensor& input, const char* pattern,
                 const char* rewrite, const char* error = "") {
  for (const bool everywhere : {true, false}) {
    cases.push_back({.op = "RegexReplace",
                     .in = {input, strings({}, {pattern}), strings({}, {rewrite})},
                     .attrs = {{"replace_global", everywhere}},
                     .error = error});
    cases.push_back(
        {.op = "StaticRegexReplace",
         .in = {input},
         .attrs = {{"pattern", pattern}, {"rewrite", rewrite}, {"replace_global", everywhere}},
         .error = error});
  }
}

void add_match(std::vector<OpCase>& cases, const Tensor& input, const char* pattern,
               const char* error = "") {
  cases.push_back({.op = "RegexFullMatch", .in = {input, strings({}, {pattern})}, .error = error});
  cases.push_back({.op = "StaticRegexFullMatch",
                   .in = {input},
                   .attrs = {{"pattern", pattern}},
                   .error = error});
}

constexpr const char* kBadPatterns[] = {"(b", "[a", "*", "(?=a)", "a{2000}", "\\", "a)", "(?P<n"};

}  // namespace

extern const OpCases kRegexCases{
    "regex", [] {
      std::vector<OpCase> cases;
      add_replace(cases, searched_texts(), "a", "Z");
      add_replace(cases, searched_texts(), "", "-");
      add_replace(cases, searched_texts(), "b*", "X");
      add_replace(cases, searched_texts(), "(a)(b)?", "[\\2\\1\\0]");
      add_replace(cases, searched_texts(), ".", "\\\\");
      add_replace(cases, searched_texts(), "\\C", "x");
      add_replace(cases, searched_texts(), "(?i)TEXT|\\d+", "");
      add_replace(cases, searched_texts(), "(?s).$", "\xc3\xa9");
      add_replace(cases, searched_texts(), "\\pL", "L");
      add_replace(cases, strings({0}, {}), "a", "b");
      // Rewrites that ask for what is not there.
      add_replace(cases, searched_texts(), "b", "\\1");
      add_replace(cases, searched_texts(), "b", "\\");
      add_replace(cases, searched_texts(), "b", "x\\y");
      for (const char* pattern : {"a*b*", "", ".*", "(?s).*", "\\d{4}-\\d\\d-\\d\\d", "a.b.",
                                  "[^a]+", "(?i)A+B+", "\\pL+", "(?s)\\C+"})
        add_match(cases, searched_texts(), pattern);
      add_match(cases, strings({0, 2}, {}), "a");
      for (const char* pattern : kBadPatterns) {
        add_replace(cases, searched_texts(), pattern, "x", "Invalid pattern: .*error:");
        add_match(cases, searched_texts(), pattern, "Invalid pattern: .*error:");
      }
      cases.push_back({.op = "RegexReplace",
                       .in = {searched_texts(), strings({1}, {"a"}), strings({}, {"a"})},
                       .error = "rank 0|Pattern must be scalar"});
      cases.push_back({.op = "RegexReplace",
                       .in = {searched_texts(), strings({}, {"a"}), strings({1}, {"a"})},
                       .error = "rank 0|Rewrite must be scalar"});
      cases.push_back({.op = "RegexFullMatch",
                       .in = {searched_texts(), strings({1}, {"a"})},
                       .error = "rank 0|Pattern must be scalar"});
      return cases;
    }};

}  // namespace rill
