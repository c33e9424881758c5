#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace rill {

// Finds bytes of some kind in a text, 64 at a time: mark(p, n) has bit i set where p[i] is one of
// them. Cutting text then follows the bits, which no branch predictor has to guess.

// Eight bytes at once; `find` sets the top bit of each byte that is looked for, exactly.
template <class Find>
std::uint64_t mark_words(const char* p, std::size_t n, Find find) {
  char padded[64];
  if (n < sizeof padded) {
    std::memset(padded, 0, sizeof padded);
    std::memcpy(padded, p, n);
    p = padded;
  }
  std::uint64_t marks = 0;
  for (int i = 0; i < 8; ++i) {
    std::uint64_t word;
    std::memcpy(&word, p + 8 * i, sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    // The top bits, moved next to each other.
    marks |= ((find(word) >> 7) * 0x0102040810204080 >> 56) << (8 * i);
  }
  return n < 64 ? marks & ((std::uint64_t{1} << n) - 1) : marks;
}

constexpr std::uint64_t in_all_bytes(unsigned char byte) { return 0x0101010101010101u * byte; }

// The top bit of each byte that is zero.
constexpr std::uint64_t zero_bytes(std::uint64_t word) {
  constexpr std::uint64_t kLow = in_all_bytes(0x7f);
  return ~(((word & kLow) + kLow) | word | kLow);
}

struct MarkByte {
  explicit MarkByte(char byte) : repeated(in_all_bytes(static_cast<unsigned char>(byte))) {}
  std::uint64_t operator()(const char* p, std::size_t n) const {
    return mark_words(p, n, [this](std::uint64_t word) { return zero_bytes(word ^ repeated); });
  }
  std::uint64_t repeated;
};

// White space of the C locale: the space, and 9 to 13.
struct MarkSpaces {
  std::uint64_t operator()(const char* p, std::size_t n) const {
    return mark_words(p, n, [](std::uint64_t word) {
      const std::uint64_t low = word & in_all_bytes(0x7f);
      const std::uint64_t from_9 = low + in_all_bytes(0x80 - 9),
                          from_14 = low + in_all_bytes(0x80 - 14);
      const std::uint64_t controls = from_9 & ~from_14 & ~word & in_all_bytes(0x80);
      return controls | zero_bytes(word ^ in_all_bytes(' '));
    });
  }
};

struct MarkSet {
  explicit MarkSet(std::string_view set) {
    for (const char c : set) contains[static_cast<unsigned char>(c)] = 1;
  }
  std::uint64_t operator()(const char* p, std::size_t n) const {
    std::uint64_t marks = 0;
    for (std::size_t i = 0; i < n; ++i) marks |= contains[static_cast<unsigned char>(p[i])] << i;
    return marks;
  }
  std::array<std::uint64_t, 256> contains{};
};

}  // namespace rill
