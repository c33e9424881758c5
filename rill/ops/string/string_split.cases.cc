#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor split_texts() {
  return tensor<std::string>({9},
                             {"", "a b", " a  b ", "one,two;three", ",;", "\t x\vy\f\r\n",
                              std::string("nul\0 in\0", 8), "\xc3\xa9 \xe6\x97\xa5", "<><>a<>b<>"});
}

// Enough rows for several threads, of very different lengths.
Tensor many_texts() {
  Tensor all(DType::string, {3000});
  for (std::size_t i = 0; i < 3000; ++i)
    for (std::size_t k = 0; k < i * 7 % 40; ++k)
      all.data<std::string>()[i] += std::string(i * k % 23, 'a') + (k % 3 == 0 ? "  " : " ");
  return all;
}

void add_v1(std::vector<OpCase>& cases) {
  for (const bool skip_empty : {true, false}) {
    for (const char* delimiter : {" ", "", ",;", "<>", "\xa9", "abc \t\n"})
      for (const Tensor& input : {split_texts(), strings({0}, {}), strings({2}, {"", ""})})
        cases.push_back({.op = "StringSplit",
                         .in = {input, strings({}, {delimiter})},
                         .attrs = {{"skip_empty", skip_empty}}});
    cases.push_back({.op = "StringSplit",
                     .in = {split_texts(), tensor<std::string>({}, {std::string(1, '\0')})},
                     .attrs = {{"skip_empty", skip_empty}}});
    cases.push_back({.op = "StringSplit",
                     .in = {many_texts(), strings({}, {" "})},
                     .attrs = {{"skip_empty", skip_empty}}});
  }
}

void add_v2(std::vector<OpCase>& cases) {
  for (const int maxsplit : {-5, -1, 0, 1, 2, 3})
    for (const char* separator :
         {"", " ", "<>", "a", "\xc3\xa9", "longer than the texts, all of them"})
      cases.push_back({.op = "StringSplitV2",
                       .in = {split_texts(), strings({}, {separator})},
                       .attrs = {{"maxsplit", maxsplit}}});
  for (const char* separator : {"", "aa"})
    cases.push_back({.op = "StringSplitV2", .in = {many_texts(), strings({}, {separator})}});
  cases.push_back({.op = "StringSplitV2", .in = {strings({0}, {}), strings({}, {""})}});
}

}  // namespace

extern const OpCases kStringSplitCases{
    "string_split", [] {
      std::vector<OpCase> cases;
      add_v1(cases);
      add_v2(cases);
      for (const char* op : {"StringSplit", "StringSplitV2"}) {
        cases.push_back({.op = op,
                         .in = {split_texts(), strings({1}, {","})},
                         .error = "rank 0|must be a scalar"});
        cases.push_back({.op = op,
                         .in = {strings({1, 1}, {"a"}), strings({}, {","})},
                         .error = "rank 1|must be a vector"});
      }
      return cases;
    }};

}  // namespace rill
