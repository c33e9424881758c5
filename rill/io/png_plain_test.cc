#include "rill/io/png_plain.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "rill/io/picture_testing.h"

namespace rill {
namespace {

std::string number(std::size_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift);
  return text;
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string checked = type + data;
  return number(data.size()) + checked +
         number(crc32_z(0, reinterpret_cast<const Bytef*>(checked.data()), checked.size()));
}

// What a row loses to a filter: all bytes outside of the picture are 0.
std::string filtered(const std::vector<std::uint8_t>& all, std::size_t row, std::size_t y,
                     std::size_t channels, int filter) {
  std::string out(1, static_cast<char>(filter));
  for (std::size_t x = 0; x < row; ++x) {
    const int left = x >= channels ? all[y * row + x - channels] : 0;
    const int above = y > 0 ? all[(y - 1) * row + x] : 0;
    const int corner = y > 0 && x >= channels ? all[(y - 1) * row + x - channels] : 0;
    const int sum = left + above - corner;
    int nearest = left;
    if (std::abs(sum - above) < std::abs(sum - nearest)) nearest = above;
    if (std::abs(sum - corner) < std::abs(sum - nearest)) nearest = corner;
    const int guesses[] = {0, left, above, (left + above) / 2, nearest};
    out += static_cast<char>(all[y * row + x] - guesses[filter]);
  }
  return out;
}

struct File {
  std::size_t width = 0, height = 0, channels = 0;
  std::vector<std::uint8_t> samples;
  std::string header, rows;

  std::string bytes(const std::string& before = "", const std::string& behind = "") const {
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + before +
           chunk("IDAT", rows.substr(0, rows.size() / 2)) +
           chunk("IDAT", rows.substr(rows.size() / 2)) + behind + chunk("IEND", "");
  }
};

// Row y has filter y % 5.
File some_file(std::size_t width, std::size_t height, std::size_t channels) {
  std::mt19937 random(static_cast<unsigned>(width * height + channels));
  File file{width, height, channels, {}, {}, {}};
  file.samples.resize(width * height * channels);
  for (auto& sample : file.samples) sample = static_cast<std::uint8_t>(random());
  std::string rows;
  for (std::size_t y = 0; y < height; ++y)
    rows += filtered(file.samples, width * channels, y, channels, static_cast<int>(y % 5));
  const int colors[] = {0, 4, 2, 6};
  file.header = number(width) + number(height) + "\x08" + static_cast<char>(colors[channels - 1]) +
                std::string(3, '\0');
  uLongf size = compressBound(rows.size());
  file.rows.resize(size);
  compress(reinterpret_cast<Bytef*>(file.rows.data()), &size,
           reinterpret_cast<const Bytef*>(rows.data()), rows.size());
  file.rows.resize(size);
  return file;
}

TEST(PlainPng, EveryFilterOfEveryWidthRoundTrips) {
  for (const std::size_t channels : {1, 2, 3, 4})
    for (const std::size_t width : {1, 2, 3, 7, 16, 33})
      for (const std::size_t height : {1, 2, 11}) {
        const File file = some_file(width, height, channels);
        Decoded read;
        ASSERT_TRUE(decode_plain_png(file.bytes(), 0, read));
        EXPECT_EQ(read.samples, file.samples) << channels << " " << width << " " << height;
        EXPECT_EQ(read.size.width, static_cast<std::int64_t>(width));
        EXPECT_EQ(read.size.height, static_cast<std::int64_t>(height));
        EXPECT_EQ(read.size.channels, static_cast<int>(channels));
      }
}

TEST(PlainPng, WhatNeedsMoreIsLeftToLibpng) {
  const File file = some_file(5, 4, 3);
  Decoded read;
  EXPECT_TRUE(decode_plain_png(file.bytes(chunk("tEXt", "a")), 3, read));
  EXPECT_FALSE(decode_plain_png(file.bytes(), 1, read));
  EXPECT_FALSE(decode_plain_png(file.bytes(chunk("tRNS", "123456")), 3, read));
  EXPECT_FALSE(decode_plain_png(file.bytes(chunk("PLTE", "abc")), 3, read));
  EXPECT_FALSE(decode_plain_png(file.bytes("", chunk("tEXt", "a") + chunk("IDAT", "")), 3, read));
  for (const std::size_t at : {8U, 9U, 10U, 11U, 12U}) {  // depth, colours and methods
    File other = file;
    other.header[at] = static_cast<char>(other.header[at] + 1);
    EXPECT_FALSE(decode_plain_png(other.bytes(), 0, read)) << at;
  }
}

TEST(PlainPng, WhatIsBrokenIsNotRead) {
  const File file = some_file(6, 5, 4);
  const std::string bytes = file.bytes();
  Decoded read;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(decode_plain_png(bytes.substr(0, i), 0, read)) << i;
    std::string broken = bytes;
    broken[i] = static_cast<char>(broken[i] ^ 16);
    EXPECT_FALSE(decode_plain_png(broken, 0, read)) << i;
  }
}

}  // namespace
}  // namespace rill
