#include <gtest/gtest.h>
#include <png.h>

#include <numeric>
#include <vector>

#include "rill/base/error.h"
#include "rill/io/png.h"
#include "rill/io/wav.h"

namespace rill {
namespace {

constexpr png_uint_32 kFormats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB,
                                    PNG_FORMAT_RGBA};

TEST(Png, round_trip) {
  for (int channels = 1; channels <= 4; ++channels)
    for (const std::int64_t width : {1, 7, 300}) {
      std::vector<std::uint8_t> samples(static_cast<std::size_t>(width * 5 * channels));
      std::iota(samples.begin(), samples.end(), std::uint8_t{3});
      const std::string bytes = encode_png({width, 5, channels, samples});
      png_image image{};
      image.version = PNG_IMAGE_VERSION;
      ASSERT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
      image.format = kFormats[channels - 1];
      EXPECT_EQ(image.width, width);
      EXPECT_EQ(image.height, 5u);
      std::vector<std::uint8_t> read(PNG_IMAGE_SIZE(image));
      ASSERT_NE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr), 0);
      EXPECT_EQ(read, samples);
    }
}

TEST(Png, what_does_not_fit_is_refused) {
  const std::vector<std::uint8_t> samples(12);
  EXPECT_THROW(encode_png({2, 2, 5, samples}), Error);
  EXPECT_THROW(encode_png({0, 2, 3, {}}), Error);
  EXPECT_THROW(encode_png({2, 3, 3, samples}), Error);
  EXPECT_THROW(encode_png({std::int64_t{1} << 40, std::int64_t{1} << 40, 3, samples}), Error);
}

TEST(Wav, samples_are_rounded_and_cut) {
  const std::vector<float> samples{0, 0.5F, 1, -1, 1.5F, -2, 0.1F, std::nanf("")};
  const std::string wav = encode_wav({4, 2, 8000, samples});
  const std::string want =
      std::string("RIFF\x34\0\0\0WAVEfmt \x10\0\0\0\1\0\2\0\x40\x1f\0\0\0\x7d\0\0\4\0\x10\0data",
                  40) +
      std::string("\x10\0\0\0\0\0\0\x40\xff\x7f\0\x80\xff\x7f\0\x80\xcd\x0c\0\0", 20);
  EXPECT_EQ(wav, want);
}

TEST(Wav, what_does_not_fit_is_refused) {
  const std::vector<float> samples(4);
  EXPECT_THROW(encode_wav({4, 0, 8000, {}}), Error);
  EXPECT_THROW(encode_wav({4, 1, 0, samples}), Error);
  EXPECT_THROW(encode_wav({3, 1, 8000, samples}), Error);
  EXPECT_THROW(encode_wav({std::int64_t{1} << 40, 1, 8000, samples}), Error);
  EXPECT_THROW(encode_wav({4, 1, std::int64_t{1} << 40, samples}), Error);
}

}  // namespace
}  // namespace rill
