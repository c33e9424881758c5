#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase to_number(DType type, Tensor texts) {
  return {.op = "StringToNumber", .in = {std::move(texts)}, .attrs = {{"out_type", type}}};
}

void add_error(std::vector<OpCase>& cases, DType type, const std::string& text) {
  cases.push_back(to_number(type, tensor<std::string>({1}, {text})));
  cases.back().error = "StringToNumberOp could not correctly convert string";
}

void add_float_numbers(std::vector<OpCase>& cases, DType type) {
  cases.push_back(to_number(type, strings({40}, {" ",
                                                 "1",
                                                 "+1",
                                                 "-1",
                                                 " 12 ",
                                                 "0x1F",
                                                 "-0x1f",
                                                 "0X1f",
                                                 "1.",
                                                 ".5",
                                                 "-.5",
                                                 "1e5",
                                                 "1E-3",
                                                 "inf",
                                                 "INF",
                                                 "-inf",
                                                 "+Inf",
                                                 "nan",
                                                 "NaN",
                                                 "-nan",
                                                 "1e400",
                                                 "-1e400",
                                                 "1e-400",
                                                 "\v1\f",
                                                 "0012",
                                                 "0.1",
                                                 "3.4e38",
                                                 "3.5e38",
                                                 "1\n",
                                                 "-0",
                                                 "0x123456789abcdef012345",
                                                 "16777217",
                                                 "0.3000000119209289551",
                                                 "2.2250738585072014e-308",
                                                 "9007199254740993",
                                                 "1111111111111111111111111111111",
                                                 "99999999999999999999999999999e1",
                                                 "123456.789e-3",
                                                 "0x1fffffff",
                                                 "1e+2"})));
  cases.push_back(to_number(type, strings({2, 0}, {})));
  for (const char* text : {"",
                           "1 2",
                           "0x",
                           "0x1.8p1",
                           "0x.8",
                           ".",
                           "1e",
                           "1e+",
                           "infinity",
                           "infin",
                           "nan(1)",
                           "1f",
                           "1_0",
                           "11111111111111111111111111111111",
                           "- 1",
                           "--1",
                           "+-1",
                           "1e5 x",
                           "\xc2\xa0"
                           "1",
                           "+",
                           "-",
                           "e5",
                           "0x-1",
                           "one",
                           "1,5",
                           "0x1g"})
    add_error(cases, type, text);
  add_error(cases, type, std::string("1\0", 2));
}

void add_integers(std::vector<OpCase>& cases, DType type) {
  cases.push_back(
      to_number(type, strings({9}, {"0", "1", "-1", " 12 ", "\v1\f", "0012", "2147483647",
                                    "-2147483648", "00000000000000000000000000000001"})));
  cases.push_back(to_number(type, strings({}, {"-0"})));
  for (const char* text : {"", " ", "+1", "1 2", "0x1", "1.", "1.5", "1e5", "-", "- 1", "--1", "x",
                           "9223372036854775808", "-9223372036854775809", "1x"})
    add_error(cases, type, text);
  add_error(cases, type, std::string("1\0", 2));
}

}  // namespace

extern const OpCases kStringToNumberCases{
    "string_to_number", [] {
      std::vector<OpCase> cases;
      add_float_numbers(cases, DType::f32);
      add_float_numbers(cases, DType::f64);
      add_integers(cases, DType::i32);
      add_integers(cases, DType::i64);
      cases.push_back(
          to_number(DType::i64, strings({2}, {"9223372036854775807", "-9223372036854775808"})));
      for (const char* text : {"2147483648", "-2147483649"}) add_error(cases, DType::i32, text);
      return cases;
    }};

}  // namespace rill
