#include <fstream>
#include <iterator>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

// The pictures that tools/picture_corpus.py wrote.
std::string bytes_of(const std::string& path) {
  std::ifstream in("tests/fuzz/corpus/" + path, std::ios::binary);
  require(in.good(), "cannot read ", path);
  return {std::istreambuf_iterator<char>(in), {}};
}
Tensor picture(const std::string& path) { return Tensor::scalar(bytes_of(path)); }

constexpr const char* kJpegs[] = {"jpeg/rgb", "jpeg/grey", "jpeg/progressive", "jpeg/full_chroma",
                                  "jpeg/low_quality"};
constexpr const char* kPngs[] = {
    "png/grey_1",  "png/grey_2",  "png/grey_4",         "png/grey_8",    "png/grey_16",
    "png/rgb",     "png/rgb_16",  "png/rgb_interlaced", "png/rgba",      "png/rgba_16",
    "png/rgb_key", "png/palette", "png/palette_alpha",  "png/grey_alpha"};
constexpr const char* kGifs[] = {"gif/one_frame", "gif/interlaced", "gif/part", "gif/moving"};
constexpr const char* kBmps[] = {"bmp/rgb", "bmp/top_down", "bmp/rgba", "bmp/indices"};

void add_decoded_jpegs(std::vector<OpCase>& cases) {
  for (const char* name : kJpegs) {
    for (const std::int64_t channels : {0, 1, 3})
      for (const std::int64_t ratio : {1, 2, 4, 8})
        for (const bool fancy : {true, false})
          cases.push_back(
              {.op = "DecodeJpeg",
               .in = {picture(name)},
               .attrs = {{"channels", channels}, {"ratio", ratio}, {"fancy_upscaling", fancy}}});
    for (const char* method : {"INTEGER_FAST", "INTEGER_ACCURATE"})
      cases.push_back({.op = "DecodeJpeg",
                       .in = {picture(name)},
                       .attrs = {{"dct_method", std::string(method)}}});
    for (const std::int64_t ratio : {1, 2})
      cases.push_back({.op = "DecodeAndCropJpeg",
                       .in = {picture(name), tensor<std::int32_t>({4}, {2, 3, 4, 6})},
                       .attrs = {{"ratio", ratio}}});
    for (const DType type : {DType::i32, DType::i64})
      cases.push_back(
          {.op = "ExtractJpegShape", .in = {picture(name)}, .attrs = {{"output_type", type}}});
  }
  cases.push_back({.op = "DecodeJpeg",
                   .in = {picture("jpeg/broken_off")},
                   .attrs = {{"try_recover_truncated", true}},
                   .compare = Compare::kShapes});  // what is made up depends on libjpeg's version
}

void add_decoded_pngs(std::vector<OpCase>& cases) {
  for (const char* name : kPngs)
    for (const DType type : {DType::u8, DType::u16})
      for (const std::int64_t channels : {0, 1, 3, 4})
        cases.push_back({.op = "DecodePng",
                         .in = {picture(name)},
                         .attrs = {{"dtype", type}, {"channels", channels}}});
}

// Ops read other formats too, where they say what is wanted.
void add_others(std::vector<OpCase>& cases) {
  for (const char* name : kGifs) cases.push_back({.op = "DecodeGif", .in = {picture(name)}});
  for (const char* name : kBmps)
    for (const std::int64_t channels : {0, 3, 4})
      cases.push_back(
          {.op = "DecodeBmp", .in = {picture(name)}, .attrs = {{"channels", channels}}});
  for (const char* op : {"DecodeJpeg", "DecodePng", "DecodeGif"})
    for (const char* name : {"jpeg/rgb", "png/rgb", "gif/one_frame"})
      cases.push_back({.op = op, .in = {picture(name)}});
  for (const char* name : {"jpeg/rgb", "gif/one_frame"})
    cases.push_back({.op = "DecodePng", .in = {picture(name)}, .attrs = {{"dtype", DType::u16}}});
}

void add_decode_errors(std::vector<OpCase>& cases) {
  const auto refuse = [&](const char* op, Tensor contents, const char* error, AttrMap attrs = {}) {
    cases.push_back(
        {.op = op, .in = {std::move(contents)}, .attrs = std::move(attrs), .error = error});
  };
  const auto text = [](const char* words) { return Tensor::scalar(std::string(words)); };
  for (const char* op : {"DecodeJpeg", "DecodePng", "DecodeGif", "DecodeBmp"}) {
    refuse(op, text(""), "Input is empty");
    refuse(op, text("no picture"),
           "Unknown image file format. One of JPEG, PNG, GIF, BMP required");
    refuse(op, strings({2}, {"a", "b"}), "must be scalar but got shape|rank 0");
  }
  refuse("DecodeJpeg", picture("bmp/rgb"), "using a wrong op");
  refuse("DecodePng", picture("gif/moving"), "Got 5 frames, but animated gifs can only be decoded");
  refuse("DecodeBmp", picture("jpeg/rgb"), "Trying to decode JPEG format using DecodeBmp op");
  for (const char* op : {"DecodeJpeg", "DecodePng", "DecodeBmp"})
    refuse(op, picture("png/rgb"), "`channels` must be 0, 1, 3 or 4 but got 2",
           {{"channels", std::int64_t{2}}});
  refuse("DecodeJpeg", picture("jpeg/rgb"), "JPEG does not support 4 channels",
         {{"channels", std::int64_t{4}}});
  refuse("DecodeJpeg", picture("jpeg/rgb"), "ratio must be 1, 2, 4, or 8, got 3",
         {{"ratio", std::int64_t{3}}});
  refuse("DecodeJpeg", picture("jpeg/rgb"), "dct_method must be one of",
         {{"dct_method", std::string("SLOW")}});
  refuse("DecodeJpeg", picture("jpeg/broken_off"), "jpeg::Uncompress failed. Invalid JPEG data");
  refuse("DecodeJpeg", picture("jpeg/broken_off"), "jpeg::Uncompress failed. Invalid JPEG data",
         {{"acceptable_fraction", 0.1F}});
  refuse("DecodePng", picture("png/no_palette"), "Invalid PNG");
  refuse("DecodePng", picture("png/huge"), "PNG size too large for int|Invalid PNG");
  refuse("DecodePng", Tensor::scalar(bytes_of("png/rgb").substr(0, 300)),
         "Invalid PNG data, size 300");
  refuse("DecodeGif", picture("gif/no_colors"), "missing color map");
  refuse("DecodeGif", Tensor::scalar(bytes_of("gif/moving").substr(0, 9)), "Invalid GIF data");
  refuse("DecodeBmp", picture("bmp/broken_off"), "Input size should match");
  refuse("DecodeBmp", picture("bmp/bits_16"), "must be 1, 3 or 4, was 2");
  refuse("DecodeBmp", Tensor::scalar(bytes_of("bmp/rgb").substr(0, 31)),
         "Incomplete bmp content, requires at least 32 bytes");
  refuse("DecodeBmp", picture("bmp/rgb"), "`channels` must be 0, 3 or 4 for BMP, but got 1",
         {{"channels", std::int64_t{1}}});
  refuse("DecodeBmp", picture("bmp/huge"), "Total possible pixel bytes must be less than 2\\^30");
  const auto refuse_window = [&](std::vector<std::int32_t> window, const char* error) {
    Tensor t(DType::i32, {static_cast<std::int64_t>(window.size())});
    std::ranges::copy(window, t.data<std::int32_t>());
    cases.push_back({.op = "DecodeAndCropJpeg", .in = {picture("jpeg/rgb"), t}, .error = error});
  };
  refuse_window({0, 0, 2}, "four elements|must be 4 but is 3");
  refuse_window({0, 0, 0, 2}, "Invalid JPEG data or crop window");
  refuse_window({-1, 0, 2, 2}, "Invalid JPEG data or crop window");
  refuse_window({0, 0, 2, 22}, "Invalid JPEG data or crop window");
  cases.push_back({.op = "DecodeAndCropJpeg",
                   .in = {picture("png/rgb"), tensor<std::int32_t>({4}, {0, 0, 2, 2})},
                   .error = "can run on JPEG only, but detected PNG"});
}

}  // namespace

extern const OpCases kDecodeImageCases{"decode_image", [] {
                                         std::vector<OpCase> cases;
                                         add_decoded_jpegs(cases);
                                         add_decoded_pngs(cases);
                                         add_others(cases);
                                         add_decode_errors(cases);
                                         return cases;
                                       }};

}  // namespace rill
