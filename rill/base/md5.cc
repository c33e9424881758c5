#include "rill/base/md5.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace rill {
namespace {

// RFC 1321.
constexpr int kRotations[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

std::array<std::uint32_t, 64> sine_table() {
  std::array<std::uint32_t, 64> table{};
  for (std::size_t i = 0; i < 64; ++i)
    table[i] = static_cast<std::uint32_t>(
        std::floor(std::abs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
  return table;
}

std::uint32_t mix(std::size_t round, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  switch (round) {
    case 0:
      return (b & c) | (~b & d);
    case 1:
      return (d & b) | (~d & c);
    case 2:
      return b ^ c ^ d;
    default:
      return c ^ (b | ~d);
  }
}

std::size_t word_index(std::size_t step) {
  constexpr std::size_t kFactor[] = {1, 5, 3, 7}, kOffset[] = {0, 1, 5, 0};
  return (kFactor[step / 16] * step + kOffset[step / 16]) % 16;
}

std::uint32_t word32_at(std::string_view block, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;)
    word = word << 8 | static_cast<unsigned char>(block[index * 4 + i]);
  return word;
}

void add_block(std::array<std::uint32_t, 4>& state, std::string_view block) {
  static const std::array<std::uint32_t, 64> sines = sine_table();
  auto [a, b, c, d] = state;
  for (std::size_t step = 0; step < 64; ++step) {
    const std::uint32_t sum =
        a + mix(step / 16, b, c, d) + sines[step] + word32_at(block, word_index(step));
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kRotations[step / 16][step % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

std::string padded(std::string_view bytes) {
  std::string message(bytes);
  message += '\x80';
  while (message.size() % 64 != 56) message += '\0';
  for (int shift = 0; shift < 64; shift += 8)
    message += static_cast<char>(static_cast<std::uint64_t>(bytes.size()) * 8 >> shift);
  return message;
}

}  // namespace

std::string md5_hex(std::string_view bytes) {
  std::array<std::uint32_t, 4> state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const std::string message = padded(bytes);
  for (std::size_t at = 0; at < message.size(); at += 64)
    add_block(state, std::string_view(message).substr(at, 64));
  std::string digits;
  for (const std::uint32_t word : state)
    for (int shift = 0; shift < 32; shift += 8)
      for (const int half : {4, 0}) digits += "0123456789abcdef"[word >> (shift + half) & 15];
  return digits;
}

}  // namespace rill
