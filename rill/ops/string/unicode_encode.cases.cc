#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr const char* kEncodings[] = {"UTF-8", "UTF-16-BE", "UTF-32-BE"};

OpCase encode(Tensor numbers, Tensor splits, const char* encoding, const char* errors = "replace",
              const char* error = "") {
  return {.op = "UnicodeEncode",
          .in = {std::move(numbers), std::move(splits)},
          .attrs = {{"output_encoding", encoding}, {"errors", errors}},
          .error = error};
}

void add_encode(std::vector<OpCase>& cases) {
  const Tensor good = tensor<std::int32_t>({6}, {97, 0xe9, 0x65e5, 0x1d11e, 0, 0x10fffd});
  const Tensor splits = tensor<std::int64_t>({5}, {0, 2, 2, 5, 6});
  const Tensor bad = tensor<std::int32_t>(
      {9}, {0xd800, 97, 0x110000, -1, 0xfffe, 0xfdd0, 0x1fffe, 0xdc00, 0x7fffffff});
  const Tensor all = tensor<std::int32_t>({2}, {0, 9});
  for (const char* encoding : kEncodings) {
    for (const char* errors : {"replace", "ignore", "strict"})
      cases.push_back(encode(good, splits, encoding, errors));
    for (const char* errors : {"replace", "ignore"}) {
      cases.push_back(encode(bad, all, encoding, errors));
      // A pair of surrogates.
      cases.push_back(encode(tensor<std::int32_t>({2}, {0xd834, 0xdd1e}),
                             tensor<std::int32_t>({2}, {0, 2}), encoding, errors));
    }
    for (const int number : {0xd800, 0x110000, -1, 0xfffe})
      cases.push_back(encode(tensor<std::int32_t>({1}, {number}), tensor<std::int64_t>({2}, {0, 1}),
                             encoding, "strict",
                             "Code point is out of range for Unicode, or a noncharacter"));
    for (const int replacement : {32, 0xd800, 0xfffe, 0x1f600}) {
      cases.push_back(encode(bad, all, encoding));
      cases.back().attrs["replacement_char"] = replacement;
    }
  }
  cases.push_back(encode(tensor<std::int32_t>({0}, {}), tensor<std::int64_t>({1}, {0}), "UTF-8"));
  cases.push_back(encode(bad, all, "UTF-8", "replace", "out of unicode codepoint range"));
  cases.back().attrs["replacement_char"] = 0x110000;
}

void add_encode_errors(std::vector<OpCase>& cases) {
  const Tensor two = tensor<std::int32_t>({2}, {97, 98});
  const auto fails = [&](std::vector<std::int64_t> splits, const char* error) {
    cases.push_back(
        encode(two, Tensor::of<std::int64_t>({static_cast<std::int64_t>(splits.size())}, splits),
               "UTF-8", "replace", error));
  };
  fails({1, 2}, "First value in input_splits must be zero");
  fails({0, 1}, "Last value in input_splits must be equal to length of input_tensor");
  fails({0, 3}, "Last value in input_splits must be equal to length of input_tensor");
  fails({0, 2, 1, 2}, "equal or in ascending order");
  fails({0, -1, 2}, "equal or in ascending order");
  fails({}, "Input_splits should contain elements");
  cases.push_back(encode(two, tensor<std::int64_t>({2}, {0, 2}), "UTF-7", "replace", "UTF-7"));
}

OpCase transcode(Tensor texts, const char* from, const char* to, const char* errors = "replace") {
  return {.op = "UnicodeTranscode",
          .in = {std::move(texts)},
          .attrs = {{"input_encoding", from}, {"output_encoding", to}, {"errors", errors}}};
}

void add_transcode(std::vector<OpCase>& cases) {
  const Tensor good =
      tensor<std::string>({4}, {"", "a\xc3\xa9\xe6\x97\xa5\xf0\x9d\x84\x9e",
                                std::string("a\0\t\x1f\x7f", 5), "\xef\xbb\xbfx\xef\xbf\xbe"});
  const Tensor bad = strings({6}, {"a\xff"
                                   "b",
                                   "\xe6\x97", "\xed\xa0\x80x", "\xf4\x90\x80\x80", "\xc0\x80",
                                   "\xf0\x9d\x84"
                                   "a"});
  for (const char* to : kEncodings) {
    for (const char* errors : {"replace", "ignore", "strict"}) {
      cases.push_back(transcode(good, "UTF-8", to, errors));
      cases.push_back(transcode(good, "UTF-8", to, errors));
      cases.back().attrs["replace_control_characters"] = true;
      if (errors[0] == 's') cases.back().error = "Invalid formatting on input string";
      cases.push_back(transcode(strings({0, 2}, {}), "UTF-8", to, errors));
    }
    for (const char* errors : {"replace", "ignore"})
      cases.push_back(transcode(bad, "UTF-8", to, errors));
    for (const int replacement : {32, 0xd800, 0xfffe}) {
      cases.push_back(transcode(bad, "UTF-8", to));
      cases.back().attrs["replacement_char"] = replacement;
    }
    cases.push_back(transcode(bad, "UTF-8", to, "strict"));
    cases.back().error = "Invalid formatting on input string";
    cases.push_back(transcode(strings({2}, {"\xe9\x80", "abc"}), "ISO-8859-1", to));
    cases.push_back(transcode(strings({1}, {"\x93\xfa\x96{"}), "SHIFT-JIS", to));
  }
  cases.push_back(transcode(bad, "bogus", "UTF-8"));
  cases.back().error = "Could not create converter for input encoding: bogus";
  cases.push_back(transcode(bad, "UTF-8", "UTF-8"));
  cases.back().attrs["replacement_char"] = -1;
  cases.back().error = "replacement_char out of unicode codepoint range";
}

}  // namespace

extern const OpCases kUnicodeEncodeCases{
    "unicode_encode", [] {
      std::vector<OpCase> cases;
      add_encode(cases);
      add_encode_errors(cases);
      add_transcode(cases);
      cases.push_back({.op = "UnicodeScript",
                       .in = {tensor<std::int32_t>(
                           {2, 8}, {97, 0x3b1, 0x416, 0x65e5, 0x3042, 0x30a2, 0x5d0, 0x627, 0xe01,
                                    0xac00, 0, 0x1f600, -1, 0x110000, 0xd800, 0x0378})}});
      cases.push_back({.op = "UnicodeScript", .in = {tensor<std::int32_t>({0}, {})}});
      return cases;
    }};

}  // namespace rill
