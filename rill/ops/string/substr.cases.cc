#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase substr(Tensor text, Tensor pos, Tensor len, const char* unit, const char* error = "") {
  return {.op = "Substr",
          .in = {std::move(text), std::move(pos), std::move(len)},
          .attrs = {{"unit", unit}},
          .error = error};
}

Tensor word(const char* text) { return strings({}, {text}); }

void add_pieces(std::vector<OpCase>& cases, const char* unit) {
  const char* odd = "a\xc3\xb1\xe6\x97\xa5\xf0\x9d\x84\x9ex";
  for (const char* text : {odd, "abc",
                           "\x80\x80"
                           "a\x80"})
    for (const int pos : {0, 1, 2, -1, -2})
      for (const int len : {0, 1, 2, 9})
        cases.push_back(
            substr(word(text), scalar<std::int32_t>(pos), scalar<std::int32_t>(len), unit));
  for (const int pos : {0, 3, -3})
    cases.push_back(substr(word("abc"), scalar<std::int64_t>(pos), scalar<std::int64_t>(2), unit));
  cases.push_back(substr(word("abc"), scalar<std::int32_t>(1), scalar<std::int32_t>(-1), unit));
  cases.push_back(substr(word("abc"), scalar<std::int32_t>(-1), scalar<std::int32_t>(-1), unit));
  if (unit[0] == 'U') cases.back().error = "out of range for string";
  cases.push_back(substr(word(""), scalar<std::int32_t>(0), scalar<std::int32_t>(2), unit));
  cases.push_back(substr(tensor<std::string>({}, {std::string("a\0b", 3)}), scalar<std::int32_t>(1),
                         scalar<std::int32_t>(2), unit));
  for (const int pos : {4, -4, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()})
    cases.push_back(substr(word("abc"), scalar<std::int32_t>(pos), scalar<std::int32_t>(1), unit,
                           "out of range for string"));
  cases.push_back(substr(word("abc"),
                         scalar<std::int64_t>(std::numeric_limits<std::int64_t>::min()),
                         scalar<std::int64_t>(std::numeric_limits<std::int64_t>::min()), unit,
                         "out of range for string"));
}

void add_shapes(std::vector<OpCase>& cases, const char* unit) {
  const Tensor two = tensor<std::int32_t>({2}, {1, 0}), ones = tensor<std::int32_t>({2}, {1, 2});
  cases.push_back(substr(strings({2}, {"abc", "de"}), two, ones, unit));
  cases.push_back(substr(word("abc"), two, ones, unit));
  cases.push_back(substr(strings({2, 1}, {"abc", "def"}), two, ones, unit));
  cases.push_back(substr(strings({2, 2}, {"abc", "def", "gh", "ijk"}), two, ones, unit));
  cases.push_back(substr(strings({2, 2}, {"abc", "def", "gh", "ijk"}), scalar<std::int32_t>(1),
                         scalar<std::int32_t>(1), unit));
  cases.push_back(substr(strings({0}, {}), scalar<std::int32_t>(1), scalar<std::int32_t>(1), unit));
  // Enough for several threads, with the same piece of all and with one of each.
  Tensor many(DType::string, {5000});
  for (std::size_t i = 0; i < 5000; ++i)
    many.data<std::string>()[i] = std::string(i % 30, 'a') + "\xc3\xa9" + std::to_string(i);
  cases.push_back(substr(many, scalar<std::int32_t>(2), scalar<std::int32_t>(20), unit));
  cases.push_back(substr(many, sequence<std::int32_t>({2, 5000}, 0, 0.0005),
                         sequence<std::int32_t>({2, 5000}, 0, 0.01), unit));
  cases.push_back(substr(many.reshaped({2500, 2}), tensor<std::int64_t>({2}, {0, -1}),
                         tensor<std::int64_t>({2}, {1, 1}), unit));
  // TensorFlow broadcasts up to two dimensions only.
  cases.push_back(substr(strings({1, 2, 1}, {"abc", "def"}), two, ones, unit));
  cases.back().want = {strings({1, 2, 2}, {"b", "ab", "e", "de"})};
  cases.push_back(substr(strings({2}, {"abc", "d"}), two, scalar<std::int32_t>(1), unit,
                         "same shape|pos and len|must be equal rank"));
  cases.push_back(substr(strings({2}, {"abc", "d"}), tensor<std::int32_t>({3}, {1, 0, 1}),
                         tensor<std::int32_t>({3}, {1, 1, 1}), unit,
                         "Incompatible shapes|Dimensions must be equal"));
}

}  // namespace

extern const OpCases kSubstrCases{
    "substr", [] {
      std::vector<OpCase> cases;
      for (const char* unit : {"BYTE", "UTF8_CHAR"}) {
        add_pieces(cases, unit);
        add_shapes(cases, unit);
        cases.push_back({.op = "StringLength",
                         .in = {tensor<std::string>(
                             {2, 3}, {"", "a\xc3\xb1\xe6\x97\xa5\xf0\x9d\x84\x9ex", "\x80\x80x",
                                      std::string("a\0b", 3), "\xff\xfe", "word"})},
                         .attrs = {{"unit", unit}}});
        cases.push_back(
            {.op = "StringLength", .in = {strings({0, 2}, {})}, .attrs = {{"unit", unit}}});
      }
      cases.push_back({.op = "StringLength",
                       .in = {strings({}, {"a"})},
                       .attrs = {{"unit", "WORD"}},
                       .error = "WORD"});
      return cases;
    }};

}  // namespace rill
