#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <vector>

#include "rill/base/error.h"
#include "rill/io/bmp.h"
#include "rill/io/gif.h"
#include "rill/io/jpeg.h"
#include "rill/io/picture_testing.h"
#include "rill/io/png.h"

namespace rill {
namespace {

std::vector<std::uint8_t> slopes(std::int64_t width, std::int64_t height, int channels) {
  std::vector<std::uint8_t> samples;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        samples.push_back(static_cast<std::uint8_t>(40 + 3 * y + 2 * x + 20 * c));
  return samples;
}

std::string corpus(const std::string& path) {
  std::ifstream in("tests/fuzz/corpus/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Jpeg, round_trip_within_tolerance) {
  for (const int channels : {1, 3})
    for (const bool progressive : {false, true}) {
      const auto samples = slopes(37, 21, channels);
      JpegWriting how;
      how.progressive = progressive;
      how.chroma_downsampling = false;
      const std::string bytes = encode_jpeg({37, 21, channels, samples}, how);
      Decoded read;
      decode_jpeg(bytes, {}, read);
      EXPECT_EQ(read.size.width, 37);
      EXPECT_EQ(read.size.height, 21);
      ASSERT_EQ(read.samples.size(), samples.size());
      for (std::size_t i = 0; i < samples.size(); ++i)
        EXPECT_NEAR(read.samples[i], samples[i], 4) << i;
    }
}

TEST(Jpeg, a_crop_equals_that_of_the_whole_image) {
  const auto samples = slopes(90, 70, 1);
  const std::string bytes = encode_jpeg({90, 70, 1, samples}, {});
  Decoded whole, part;
  decode_jpeg(bytes, {}, whole);
  JpegReading how;
  how.crop = JpegWindow{11, 23, 30, 40};
  decode_jpeg(bytes, how, part);
  ASSERT_EQ(part.samples.size(), 30u * 40u);
  for (std::size_t y = 0; y < 30; ++y)
    for (std::size_t x = 0; x < 40; ++x)
      ASSERT_EQ(part.samples[y * 40 + x], whole.samples[(y + 11) * 90 + x + 23]) << y << " " << x;
}

// Wherever a file breaks off, and whichever byte is wrong, there is an error or a picture.
template <class Decode>
void break_everywhere(const std::string& path, Decode decode) {
  const std::string bytes = corpus(path);
  ASSERT_FALSE(bytes.empty()) << path;
  const auto attempt = [&](const std::string& broken) {
    try {
      Decoded read;
      decode(broken, read);
    } catch (const Error&) {
    }
  };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    attempt(bytes.substr(0, i));
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    attempt(changed);
  }
}

TEST(Pictures, broken_ones_are_errors) {
  for (const char* name : {"jpeg/rgb", "jpeg/progressive"})
    break_everywhere(name, [](const std::string& bytes, Decoded& to) {
      JpegReading how;
      how.try_recover_truncated = true;
      // A header that lies about the size would only make the test slow.
      const PictureSize size = jpeg_size(bytes);
      require(size.height * size.width < 1 << 20, "large");
      decode_jpeg(bytes, how, to);
    });
  break_everywhere("png/rgba",
                   [](const std::string& bytes, Decoded& to) { decode_png(bytes, 0, 8, to); });
  break_everywhere("gif/moving", [](const std::string& bytes, Decoded& to) {
    decode_gif(bytes, [&](const PictureSize& size) {
      require(size.frames * size.height * size.width < 1 << 20, "large");
      return to(size);
    });
  });
  break_everywhere("bmp/rgb",
                   [](const std::string& bytes, Decoded& to) { decode_bmp(bytes, 0, to); });
}

TEST(Pictures, sizes_are_not_believed) {
  const auto no_place = [](const PictureSize&) -> void* {
    ADD_FAILURE() << "asked for memory";
    raise(Code::kInternal, "asked for memory");
  };
  EXPECT_THROW(decode_png(corpus("png/huge"), 0, 8, no_place), Error);
  EXPECT_THROW(decode_gif(corpus("gif/huge"), no_place), Error);
  EXPECT_THROW(decode_bmp(corpus("bmp/huge"), 0, no_place), Error);
  EXPECT_THROW(decode_jpeg("\xff\xd8\xff", {}, no_place), Error);
}

TEST(Pictures, allocation_errors_reach_the_caller) {
  const auto refuse = [](const PictureSize&) -> void* { raise(Code::kAborted, "no"); };
  const auto code = [](auto decode) {
    try {
      decode();
    } catch (const Error& error) {
      return error.code();
    }
    return Code::kOk;
  };
  EXPECT_EQ(code([&] { decode_jpeg(corpus("jpeg/rgb"), {}, refuse); }), Code::kAborted);
  EXPECT_EQ(code([&] { decode_png(corpus("png/rgb"), 0, 8, refuse); }), Code::kAborted);
  EXPECT_EQ(code([&] { decode_gif(corpus("gif/moving"), refuse); }), Code::kAborted);
  EXPECT_EQ(code([&] { decode_bmp(corpus("bmp/rgb"), 0, refuse); }), Code::kAborted);
}

TEST(Gif, a_truncated_file_keeps_its_complete_frames) {
  Decoded whole, part;
  decode_gif(corpus("gif/moving"), whole);
  decode_gif(corpus("gif/broken_off"), part);
  EXPECT_EQ(whole.size.frames, 5);
  EXPECT_EQ(part.size.frames, 4);
  ASSERT_LT(part.samples.size(), whole.samples.size());
  EXPECT_TRUE(std::equal(part.samples.begin(), part.samples.end(), whole.samples.begin()));
}

}  // namespace
}  // namespace rill
