#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr const char* kOps[] = {"UnicodeDecode", "UnicodeDecodeWithOffsets"};

OpCase decode(const char* op, Tensor texts, const char* encoding, const char* errors = "replace") {
  return {.op = op,
          .in = {std::move(texts)},
          .attrs = {{"input_encoding", encoding}, {"errors", errors}}};
}

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

// Broken UTF-8 of every kind.
const std::vector<std::string>& bad_texts() {
  static const std::vector<std::string> all = {
      "a\xff"
      "b",
      "a\xc3",
      "\xe6\x97",
      "\xe6\x97"
      "a",
      "\xf0\x9d\x84",
      "\xed\xa0\x80x",
      "\xc0\x80",
      "\xf4\x90\x80\x80",
      "\xf8\x88\x80\x80\x80",
      "\x80\x80",
      "\xe0\x80\x80",
      "\xf0\x80\x80\x80",
      "\xf0\x9d\x84"
      "a",
      "\xf1\x80\xc3\xa9"};
  return all;
}

Tensor good_texts() {
  return tensor<std::string>(
      {2, 3}, {"\xc3\xa9\xe6\x97\xa5\xf0\x9d\x84\x9e", "", bytes({'a', 0, 9, 'b', 0x7f, 0x1f}),
               "\xef\xbf\xbe", "\xef\xbb\xbfx", "\xf4\x8f\xbf\xbf\xed\x9f\xbf\xee\x80\x80"});
}

// TensorFlow ends the process when asked for offsets with int32 splits.
void add_int32_splits(std::vector<OpCase>& cases, const char* op, const char* errors) {
  const Tensor texts = strings({2}, {"a\xc3\xa9", "b"});
  for (const Tensor& input : {strings({0}, {}), texts}) {
    cases.push_back(decode(op, input, "UTF-8", errors));
    cases.back().attrs["Tsplits"] = DType::i32;
    if (op == kOps[0]) continue;
    if (input.element_count() == 0)
      cases.back().want = {tensor<std::int32_t>({1}, {0}), tensor<std::int32_t>({0}, {}),
                           tensor<std::int64_t>({0}, {})};
    else
      cases.back().want = {tensor<std::int32_t>({3}, {0, 2, 3}),
                           tensor<std::int32_t>({3}, {97, 0xe9, 98}),
                           tensor<std::int64_t>({3}, {0, 1, 0})};
  }
}

void add_utf8(std::vector<OpCase>& cases, const char* op) {
  Tensor bad(DType::string, {static_cast<std::int64_t>(bad_texts().size())});
  std::ranges::copy(bad_texts(), bad.data<std::string>());
  for (const char* errors : {"replace", "ignore", "strict"}) {
    cases.push_back(decode(op, good_texts(), "UTF-8", errors));
    cases.push_back(decode(op, strings({0}, {}), "UTF-8", errors));
    add_int32_splits(cases, op, errors);
    cases.push_back(decode(op, good_texts(), "UTF-8", errors));
    cases.back().attrs["replace_control_characters"] = true;
    cases.back().attrs["replacement_char"] = 32;
    if (errors[0] != 's') cases.push_back(decode(op, bad, "UTF-8", errors));
  }
  for (const std::string& text : bad_texts()) {
    cases.push_back(decode(op, tensor<std::string>({}, {text}), "UTF-8", "strict"));
    cases.back().error = "Invalid formatting on input string";
  }
  for (const int replacement : {0, 0xd800, 0xfffe, 0x1f600, 0x10ffff}) {
    cases.push_back(decode(op, bad, "UTF-8"));
    cases.back().attrs["replacement_char"] = replacement;
  }
  for (const int replacement : {-1, 0x110000}) {
    cases.push_back(decode(op, bad, "UTF-8"));
    cases.back().attrs["replacement_char"] = replacement;
    cases.back().error = "replacement_char out of unicode codepoint range";
  }
}

struct Encoded {
  const char* encoding;
  std::string text;
};

void add_encodings(std::vector<OpCase>& cases, const char* op) {
  const Encoded all[] = {
      {"UTF-16-BE", bytes({0, 'a', 0, 0xf1, 0xd8, 0x34, 0xdd, 0x1e})},
      {"UTF-16", bytes({0, 'a', 0, 0xf1})},
      {"UTF-16", bytes({0xff, 0xfe, 'a', 0})},
      {"UTF-16-LE", bytes({'a', 0, 0xf1, 0, 0x34, 0xd8, 0x1e, 0xdd})},
      {"UTF-16-BE", bytes({0, 'a', 0xd8})},
      {"UTF-16-BE", bytes({0xd8, 0, 0, 'a'})},
      {"UTF-16-BE", bytes({0xdc, 0, 0, 'a'})},
      {"UTF-16-BE", bytes({0, 'a', 0xd8, 0x34})},
      {"UTF-32-BE", bytes({0, 0, 0, 'a', 0, 0x11, 0, 0, 0})},
      {"UTF-32-BE", bytes({0, 0, 0xd8, 0})},
      {"UTF-32", bytes({0, 0, 0, 'a'})},
      {"utf8", "a\xc3\xa9\xff"},
      {"ISO-8859-1", "\xe9\x80"},
      {"latin1", "\xe9"},
      {"US-ASCII", "a\xe9"},
      {"SHIFT-JIS", "\x93\xfa\x96{"},
      {"windows-1252", "\x80\x81"},
      {"GBK", "\xc8\xd5"},
      {"gb18030",
       "\x81"
       "0\x81"
       "0"},
      {"KOI8-R", "\xc1"},
      {"EUC-JP", "\xc6\xfc"},
      {"Big5", "\xa4\xe9"},
      {"EUC-KR", "\xec\xed"},
      {"ISO-8859-15", "\xa4"},
      {"IBM037", "\x81"},
      {"ISO-2022-JP", "\x1b$BF|\x1b(B"},
      {"UTF-7", "+AOk-"},
  };
  for (const Encoded& one : all)
    for (const char* errors : {"replace", "ignore"})
      cases.push_back(decode(op, tensor<std::string>({2}, {one.text, ""}), one.encoding, errors));
  for (const char* encoding : {"bogus", "", "UTF-9"}) {
    cases.push_back(decode(op, strings({1}, {"a"}), encoding));
    cases.back().error = "Could not create converter for input encoding";
  }
}

}  // namespace

extern const OpCases kUnicodeDecodeCases{
    "unicode_decode", [] {
      std::vector<OpCase> cases;
      for (const char* op : kOps) {
        add_utf8(cases, op);
        add_encodings(cases, op);
        Tensor many(DType::string, {2000});
        for (std::size_t i = 0; i < 2000; ++i)
          for (std::size_t k = 0; k < i % 37; ++k)
            many.data<std::string>()[i] += k % 5 == 0 ? "\xe6\x97\xa5" : "a";
        cases.push_back(decode(op, many, "UTF-8"));
        cases.push_back(decode(op, strings({}, {"a"}), "UTF-8", "replace"));
        cases.back().attrs["errors"] = "loud";
        cases.back().error = "loud";
      }
      return cases;
    }};

}  // namespace rill
