#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr double kNan = NAN, kInfinite = INFINITY;
Tensor tag(const char* text) { return strings({}, {text}); }

void add_scalars(std::vector<OpCase>& rows) {
  for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i8, DType::u8,
                           DType::i16, DType::u16, DType::i32, DType::i64})
    rows.push_back({.op = "ScalarSummary", .in = {tag("a"), values(type, {}, {3})}});
  rows.push_back({.op = "ScalarSummary",
                  .in = {strings({2, 2}, {"a", "b", "", "a"}),
                         values(DType::f32, {2, 2}, {1.5, kInfinite, kNan, -0.0})}});
  rows.push_back({.op = "ScalarSummary",
                  .in = {tag("big"), scalar<std::int64_t>((std::int64_t{1} << 53) + 1)}});
  rows.push_back({.op = "ScalarSummary", .in = {strings({0}, {}), values(DType::f32, {0}, {})}});
  rows.push_back({.op = "ScalarSummary",
                  .in = {strings({2}, {"a", "b"}), values(DType::f32, {1}, {1})},
                  .error = "tags and values (are )?not the same shape: \\[2\\] != \\[1\\]"});
  rows.push_back({.op = "ScalarSummary",
                  .in = {tag("a"), values(DType::f32, {1}, {1})},
                  .error = "not the same shape: \\[\\] != \\[1\\] \\(tag 'a'\\)"});
}

void add_histograms(std::vector<OpCase>& rows) {
  for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i8, DType::i16,
                           DType::i32, DType::i64})
    rows.push_back(
        {.op = "HistogramSummary", .in = {tag("h"), values(type, {2, 3}, {1, 2, -3, 0, 100, 5})}});
  for (const DType type : {DType::u8, DType::u16})
    rows.push_back({.op = "HistogramSummary", .in = {tag("h"), values(type, {3}, {0, 255, 3})}});
  rows.push_back(
      {.op = "HistogramSummary",
       .in = {tag("wide"), values(DType::f64, {6}, {1e300, -1e300, 1e-300, 1e-12, -1e-12, 1e20})}});
  rows.push_back({.op = "HistogramSummary", .in = {tag("none"), values(DType::f32, {0}, {})}});
  rows.push_back({.op = "HistogramSummary", .in = {tag("one"), values(DType::f32, {}, {3})}});
  rows.push_back(
      {.op = "HistogramSummary", .in = {tag("zero"), values(DType::f32, {2}, {0, -0.0})}});
  rows.push_back(
      {.op = "HistogramSummary", .in = {tag("many"), random<float>({64, 1024}, 7, -3, 3)}});
  for (const double bad : {kNan, kInfinite, -kInfinite})
    rows.push_back({.op = "HistogramSummary",
                    .in = {tag("h"), values(DType::f32, {2}, {1, bad})},
                    .error = "(Nan in summary histogram|Infinity in Histogram) for: case"});
  rows.push_back({.op = "HistogramSummary",
                  .in = {strings({1}, {"h"}), values(DType::f32, {1}, {1})},
                  .error = "tags must be scalar"});
}

void add_images(std::vector<OpCase>& rows) {
  const auto add = [&](Tensor image, AttrMap attrs = {}, const char* error = "") {
    rows.push_back({.op = "ImageSummary",
                    .in = {tag("i"), std::move(image)},
                    .attrs = std::move(attrs),
                    .error = error});
  };
  const auto grey = [](std::initializer_list<double> pixels) {
    return values(DType::f32, {1, 1, static_cast<std::int64_t>(pixels.size()), 1}, pixels);
  };
  add(grey({0, 1, 2, 4}));
  add(grey({-1, 1, 2, -4}));
  add(grey({0, 0, 0}));
  add(grey({-1e-20, 0, 1e-20}));
  add(grey({0, kNan, 2, kInfinite}));
  add(grey({kNan, kNan}));
  for (const std::int64_t channels : {1, 3, 4}) {
    add(random<float>({4, 5, 6, channels}, 3));
    add(random<float>({2, 9, 7, channels}, 4, 0, 300), {{"max_images", 1}});
    add(random(DType::u8, {2, 5, 6, channels}, 5, 0, 256));
    add(random(DType::f64, {1, 5, 6, channels}, 6));
    add(random(DType::f16, {1, 5, 6, channels}, 7));
  }
  add(values(DType::f32, {1, 1, 2, 3}, {0, kNan, 2, 1, 2, 3}));
  add(values(DType::f32, {1, 1, 2, 3}, {0, kNan, 2, 1, 2, 3}),
      {{"bad_color", tensor<std::uint8_t>({3}, {7, 8, 9})}});
  add(random(DType::u8, {1, 40, 50, 3}, 8, 0, 256));
  add(filled<float>({0, 2, 2, 1}, 0));
  add(filled<float>({1, 0, 2, 1}, 0), {}, "must have non-zero dims");
  add(filled<float>({1, 2, 2, 2}, 0), {}, "last dim 1, 3, or 4, not");
  add(filled<float>({2, 2, 1}, 0), {}, "must be 4-D");
  add(grey({1}), {{"bad_color", tensor<float>({1}, {7})}}, "bad_color must be uint8, got float");
  add(grey({1}), {{"bad_color", tensor<std::uint8_t>({1, 1}, {7})}}, "bad_color must be a vector");
  add(filled<float>({1, 1, 2, 3}, 1), {{"bad_color", tensor<std::uint8_t>({1}, {7})}},
      "expected depth <= bad_color.size");
  rows.push_back({.op = "ImageSummary",
                  .in = {strings({2}, {"a", "b"}), filled<float>({1, 1, 1, 1}, 1)},
                  .error = "scalar"});
}

void add_audio(std::vector<OpCase>& rows) {
  const Tensor sound = values(DType::f32, {1, 8}, {0, 0.5, 1, -1, 1.5, -2, 0.1, 1.5 / 32768});
  rows.push_back({.op = "AudioSummaryV2", .in = {tag("a"), sound, scalar<float>(8000)}});
  rows.push_back({.op = "AudioSummaryV2", .in = {tag("a"), sound, scalar<float>(44100.7F)}});
  rows.push_back(
      {.op = "AudioSummary", .in = {tag("a"), sound}, .attrs = {{"sample_rate", 8000.0F}}});
  rows.push_back({.op = "AudioSummaryV2",
                  .in = {tag("a"), random<float>({5, 30, 2}, 3, -1.2, 1.2), scalar<float>(22050)},
                  .attrs = {{"max_outputs", 4}}});
  rows.push_back({.op = "AudioSummaryV2",
                  .in = {tag("a"), random<float>({3, 20}, 4), scalar<float>(16000)},
                  .attrs = {{"max_outputs", 1}}});
  rows.push_back(
      {.op = "AudioSummaryV2", .in = {tag("a"), filled<float>({2, 0}, 0), scalar<float>(16000)}});
  rows.push_back({.op = "AudioSummaryV2",
                  .in = {tag("a"), filled<float>({2}, 0), scalar<float>(16000)},
                  .error = "Tensor must be 3-D or 2-D, got: \\[2\\]"});
  rows.push_back({.op = "AudioSummaryV2",
                  .in = {tag("a"), sound, scalar<float>(0)},
                  .error = "sample_rate must be > 0"});
  rows.push_back({.op = "AudioSummaryV2",
                  .in = {strings({2}, {"a", "b"}), sound, scalar<float>(8000)},
                  .error = "Tag must be a scalar"});
}

void add_tensors(std::vector<OpCase>& rows) {
  const std::string metadata(
      "\x0a\x06\x0a\x01p\x12\x01"
      "c\x12\x01x",
      11);
  for (const Tensor& value :
       {values(DType::f32, {2}, {1, 2}), scalar<std::int32_t>(7), strings({2}, {"a", "bc"}),
        values(DType::f16, {2, 1}, {1, 2}), values(DType::boolean, {2}, {1, 0})}) {
    rows.push_back({.op = "TensorSummary",
                    .in = {value},
                    .attrs = {{"description", "d"}, {"display_name", "n"}}});
    rows.push_back({.op = "TensorSummaryV2", .in = {tag("t"), value, tag(metadata.c_str())}});
    rows.push_back({.op = "TensorSummaryV2", .in = {tag("t"), value, tag("")}});
  }
  rows.push_back({.op = "TensorSummaryV2", .in = {tag("t"), scalar<float>(1), tag("\xff\xff")}});
  rows.push_back({.op = "TensorSummaryV2",
                  .in = {strings({1}, {"t"}), scalar<float>(1), tag("")},
                  .error = "tag must be scalar"});
}

Tensor serialized(const std::string& bytes) {
  Tensor t(DType::string, {});
  t.data<std::string>()[0] = bytes;
  return t;
}

void add_merges(std::vector<OpCase>& rows) {
  const std::string a(
      "\n\x08\n\x01"
      "a\x15\x00\x00\xc0?",
      10),
      b("\n\x08\n\x01"
        "b\x15\x00\x00 @",
        10);
  Tensor both(DType::string, {2});
  both.data<std::string>()[0] = a;
  both.data<std::string>()[1] = b;
  rows.push_back({.op = "MergeSummary", .in = {list({serialized(a), serialized(b)})}});
  rows.push_back({.op = "MergeSummary", .in = {list({both})}});
  rows.push_back({.op = "MergeSummary", .in = {list({serialized("")})}});
  rows.push_back({.op = "MergeSummary",
                  .in = {list({both, serialized(a)})},
                  .error = "Duplicate tag a found in summary inputs"});
  rows.push_back({.op = "MergeSummary",
                  .in = {list({serialized("\xff\xff"), serialized(a)})},
                  .error = "Could not parse one of the summary inputs"});
}

}  // namespace

extern const OpCases kSummaryCases{"summary", [] {
                                     std::vector<OpCase> rows;
                                     add_scalars(rows);
                                     add_histograms(rows);
                                     add_images(rows);
                                     add_audio(rows);
                                     add_tensors(rows);
                                     add_merges(rows);
                                     return rows;
                                   }};

}  // namespace rill
