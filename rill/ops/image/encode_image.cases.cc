#include "tests/optest/op_case.h"

namespace rill {
namespace {

// Slopes, which pictures are made of.
Tensor slopes(DType type, Shape shape) { return sequence(type, std::move(shape), 3, 0.25); }

AttrMap with(const char* name, AttrValue value) { return {{name, std::move(value)}}; }

void add_encoded_jpegs(std::vector<OpCase>& cases) {
  const Tensor rgb = slopes(DType::u8, {13, 21, 3}), grey = slopes(DType::u8, {13, 21, 1});
  const AttrMap attrs[] = {{},
                           with("quality", std::int64_t{40}),
                           with("progressive", true),
                           with("optimize_size", true),
                           with("chroma_downsampling", false),
                           with("density_unit", std::string("cm")),
                           with("x_density", std::int64_t{72}),
                           with("y_density", std::int64_t{96}),
                           with("xmp_metadata", std::string("<x:xmpmeta/>"))};
  for (const AttrMap& attr : attrs)
    for (const Tensor& image : {rgb, grey})
      cases.push_back({.op = "EncodeJpeg", .in = {image}, .attrs = attr});
  cases.push_back(
      {.op = "EncodeJpeg", .in = {grey}, .attrs = with("format", std::string("grayscale"))});
  for (const std::int32_t quality : {0, 50, 100})
    cases.push_back(
        {.op = "EncodeJpegVariableQuality", .in = {rgb, scalar<std::int32_t>(quality)}});
}

void add_encoded_pngs(std::vector<OpCase>& cases) {
  for (const DType type : {DType::u8, DType::u16})
    for (const std::int64_t channels : {1, 2, 3, 4})
      for (const std::int64_t level : {-1, 0, 9})
        cases.push_back({.op = "EncodePng",
                         .in = {slopes(type, {13, 21, channels})},
                         .attrs = with("compression", level)});
  cases.push_back({.op = "EncodePng", .in = {slopes(DType::u8, {2, 3, 5, 4, 3})}});
  cases.push_back({.op = "EncodePng", .in = {slopes(DType::u8, {0, 5, 4, 3})}});
}

void add_encode_errors(std::vector<OpCase>& cases) {
  const auto refuse = [&](const char* op, Tensor image, const char* error, AttrMap attrs = {}) {
    cases.push_back(
        {.op = op, .in = {std::move(image)}, .attrs = std::move(attrs), .error = error});
  };
  const Tensor rgb = slopes(DType::u8, {4, 5, 3});
  refuse("EncodeJpeg", slopes(DType::u8, {4, 5}), "3-dimensional|rank 3");
  refuse("EncodeJpeg", slopes(DType::u8, {4, 5, 2}), "image must have 1 or 3 channels, got");
  refuse("EncodeJpeg", rgb, "format grayscale expects 1 channels",
         with("format", std::string("grayscale")));
  refuse("EncodeJpeg", rgb, "quality must be in \\[0,100\\], got 101",
         with("quality", std::int64_t{101}));
  refuse("EncodePng", slopes(DType::u8, {4, 5}), "at least rank 3");
  refuse("EncodePng", slopes(DType::u8, {4, 5, 5}), "must have 1, 2, 3, or 4 channels, got 5");
  refuse("EncodePng", rgb, "compression should be in \\[-1,9\\], got 10",
         with("compression", std::int64_t{10}));
  cases.push_back({.op = "EncodeJpegVariableQuality",
                   .in = {rgb, scalar<std::int32_t>(101)},
                   .error = "quality must be in \\[0,100\\], got 101"});
}

}  // namespace

extern const OpCases kEncodeImageCases{"encode_image", [] {
                                         std::vector<OpCase> cases;
                                         add_encoded_jpegs(cases);
                                         add_encoded_pngs(cases);
                                         add_encode_errors(cases);
                                         return cases;
                                       }};

}  // namespace rill
