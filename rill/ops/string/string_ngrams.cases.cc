#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

AttrMap options(const Numbers& widths, std::int64_t pad_width, bool keeps_short,
                const char* left = "<", const char* right = ">") {
  return {
      {"separator", "|"},
      {"ngram_widths", widths.empty() ? AttrValue::empty_list(AttrKind::kInt) : AttrValue(widths)},
      {"left_pad", left},
      {"right_pad", right},
      {"pad_width", pad_width},
      {"preserve_short_sequences", keeps_short}};
}

Tensor letters() { return strings({6}, {"a", "b", "", "d", "long enough for the heap", "f"}); }

void add_widths(std::vector<OpCase>& cases) {
  for (const Numbers& widths : {Numbers{1}, {2}, {3}, {2, 3}, {5}, {3, 2}, {}})
    for (const int pad_width : {-1, 0, 1, 3})
      for (const bool keeps_short : {false, true}) {
        if (widths.empty() && pad_width < 0 && keeps_short) continue;
        cases.push_back({.op = "StringNGrams",
                         .in = {letters(), tensor<std::int64_t>({5}, {0, 4, 4, 5, 6})},
                         .attrs = options(widths, pad_width, keeps_short)});
      }
}

}  // namespace

extern const OpCases kStringNgramsCases{
    "string_ngrams", [] {
      std::vector<OpCase> cases;
      add_widths(cases);
      const auto add = [&](const Tensor& data, const Tensor& splits, AttrMap attrs,
                           const char* error = "") {
        cases.push_back(
            {.op = "StringNGrams", .in = {data, splits}, .attrs = attrs, .error = error});
      };
      const Tensor two_rows = tensor<std::int32_t>({3}, {0, 4, 6});
      add(letters(), two_rows, options({2}, 0, false, "", ""));
      add(letters(), two_rows, options({2}, -1, false, "", ""));
      add(letters(), two_rows, options({2}, -2, true));
      add(letters(), two_rows, options({2}, 2147483647, false));
      add(strings({0}, {}), tensor<std::int64_t>({1}, {0}), options({2}, -1, false));
      add(strings({0}, {}), tensor<std::int64_t>({0}, {}), options({2}, -1, false));
      add(strings({0}, {}), tensor<std::int64_t>({3}, {0, 0, 0}), options({2}, -1, true));
      const auto fails = [&](const Numbers& splits, const char* error) {
        add(letters(), Tensor::of<std::int64_t>({static_cast<std::int64_t>(splits.size())}, splits),
            options({2}, -1, false), error);
      };
      fails({1, 4, 6}, "First split value must be 0");
      fails({0, 4, 5}, "Last split value must be data size");
      fails({0, 4, 3, 6}, "Invalid split value 3");
      fails({0, 4, 7}, "Invalid split value 7");
      fails({0, -1, 6}, "Invalid split value -1");
      for (const std::int64_t width : {std::int64_t{0}, std::int64_t{-1}})
        add(letters(), two_rows, options({width}, -1, false), "must contain positive values");
      add(letters(), two_rows, options({std::int64_t{1} << 31}, -1, false), "ngram_widths");
      add(letters(), two_rows, options({}, -1, true), "Pad width should be >= 0");
      return cases;
    }};

}  // namespace rill
