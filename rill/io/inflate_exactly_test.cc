#include "rill/io/inflate_exactly.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <vector>

namespace rill {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Bytes of several kinds: noise of few or many values, repetitions near and far, nothing but zeros.
Bytes some_bytes(std::mt19937& random, std::size_t size) {
  Bytes bytes(size);
  const unsigned kind = random() % 4, values = 1 + random() % 256;
  for (std::size_t i = 0; i < size; ++i) {
    const bool again = random() % 8 != 0;
    const std::size_t back = kind == 1 ? 1 + random() % 9 : 700;
    if (kind != 3)
      bytes[i] = static_cast<std::uint8_t>(kind > 0 && again && i >= back ? bytes[i - back]
                                                                          : random() % values);
  }
  return bytes;
}

Bytes packed(const Bytes& bytes, int level, int window, int strategy) {
  z_stream stream{};
  deflateInit2(&stream, level, Z_DEFLATED, window, 8, strategy);
  Bytes out(deflateBound(&stream, bytes.size()) + 64);
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// Both buffers end with their margins, so that a sanitizer sees what lies behind them.
bool inflates(Bytes in, std::size_t size, Bytes& out) {
  const std::size_t in_size = in.size();
  in.resize(in_size + kInflateMargin);
  out.assign(size + kInflateMargin, 0);
  const bool good = inflate_exactly({in.data(), in_size}, out.data(), size);
  out.resize(size);
  return good;
}

TEST(InflateExactly, UnpacksWhateverZlibPacks) {
  std::mt19937 random(1);
  for (const int strategy : {Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED})
    for (const int level : {0, 1, 6, 9})
      for (const std::size_t size : {0, 1, 2, 5, 100, 1000, 70'000})
        for (const int window : {9, 15}) {
          const Bytes bytes = some_bytes(random, size);
          Bytes out;
          ASSERT_TRUE(inflates(packed(bytes, level, window, strategy), size, out))
              << strategy << " " << level << " " << size;
          EXPECT_EQ(out, bytes);
        }
}

TEST(InflateExactly, RefusesOtherSizesAndCuts) {
  std::mt19937 random(2);
  const Bytes bytes = some_bytes(random, 500), stream = packed(bytes, 6, 15, Z_DEFAULT_STRATEGY);
  Bytes out;
  EXPECT_FALSE(inflates(stream, 499, out));
  EXPECT_FALSE(inflates(stream, 501, out));
  for (std::size_t size = 0; size < stream.size(); ++size)
    EXPECT_FALSE(
        inflates(Bytes(stream.begin(), stream.begin() + static_cast<long>(size)), 500, out));
  Bytes longer = stream;
  longer.push_back(0);
  EXPECT_FALSE(inflates(longer, 500, out));
}

TEST(InflateExactly, WhatIsBrokenIsRefusedOrWhatZlibMakesOfIt) {
  std::mt19937 random(3);
  for (int round = 0; round < 4000; ++round) {
    const Bytes bytes = some_bytes(random, random() % 600);
    Bytes stream = packed(bytes, 6, 15, round % 2 == 0 ? Z_DEFAULT_STRATEGY : Z_FIXED), out;
    for (unsigned flips = 1 + random() % 3; flips > 0; --flips)
      stream[random() % stream.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
    if (!inflates(stream, bytes.size(), out)) continue;
    Bytes known(bytes.size() + 1);
    uLongf size = known.size();
    ASSERT_EQ(uncompress(known.data(), &size, stream.data(), stream.size()), Z_OK);
    known.resize(size);
    EXPECT_EQ(out, known);
  }
}

}  // namespace
}  // namespace rill
