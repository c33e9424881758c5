#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kStringCaseCases{
    "string_case", [] {
      std::vector<OpCase> cases;
      const Tensor texts = tensor<std::string>(
          {2, 6}, {"ABC abc @[`{", "\xc3\x80\xc3\xa9\xc4\xb0\xc4\xb1\xc3\x9f",
                   "\xff\x80"
                   "aA\xe6\x97",
                   "", "\xce\x91\xce\xa3", "\xce\xb1\xcf\x82 \xc5\x89\xef\xac\x83",
                   std::string("aA\0bB", 5), "\xf0\x90\x90\x80\xf0\x90\x90\xa8", "\xd0\x96\xd0\xb6",
                   "\xed\xa0\x80x", "\xc7\x85",
                   "a long text, Longer Than What Fits Into The String Itself: \xc3\x84\xc3\xa4"});
      for (const char* op : {"StringLower", "StringUpper"}) {
        for (const char* encoding : {"", "utf-8"}) {
          cases.push_back({.op = op, .in = {texts}, .attrs = {{"encoding", encoding}}});
          cases.push_back({.op = op, .in = {strings({0}, {})}, .attrs = {{"encoding", encoding}}});
        }
        for (const char* encoding : {"UTF-8", "latin1"})
          cases.push_back({.op = op,
                           .in = {texts},
                           .attrs = {{"encoding", encoding}},
                           .error = "only utf-8 or '' \\(no encoding\\) is supported"});
      }
      cases.push_back(
          {.op = "StringStrip",
           .in = {tensor<std::string>({7}, {" a ", "\t\n\v\f\r a b \t\n\v\f\r", "", "  ",
                                            "\x1cx\xc2\xa0", std::string("\0 a \0", 5), "word"})}});
      cases.push_back({.op = "StringStrip", .in = {strings({2, 0}, {})}});
      return cases;
    }};

}  // namespace rill
