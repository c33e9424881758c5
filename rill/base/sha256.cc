#include "rill/base/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace rill {
namespace {

using Sha256State = std::array<std::uint32_t, 8>;

constexpr std::size_t kBlockBytes = 64;

// FIPS 180-4: the constants are the first 32 bits behind the point of roots of the first primes.
struct Sha256Constants {
  Sha256State start{};
  std::array<std::uint32_t, 64> round{};

  Sha256Constants() {
    std::size_t count = 0;
    for (int number = 2; count < round.size(); ++number) {
      if (!is_prime(number)) continue;
      if (count < start.size()) start[count] = fraction(std::sqrt(static_cast<double>(number)));
      round[count++] = fraction(std::cbrt(static_cast<double>(number)));
    }
  }
  static bool is_prime(int number) {
    for (int divisor = 2; divisor * divisor <= number; ++divisor)
      if (number % divisor == 0) return false;
    return true;
  }
  static std::uint32_t fraction(double root) {
    return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0);
  }
};

const Sha256Constants& constants() {
  static const Sha256Constants made;
  return made;
}

std::array<std::uint32_t, 64> schedule_of(std::string_view block) {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      words[i] = words[i] << 8 | static_cast<unsigned char>(block[i * 4 + j]);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + words[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  return words;
}

void add_sha256_block(Sha256State& state, std::string_view block) {
  const auto words = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                choice + constants().round[i] + words[i];
    const std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Sha256State mixed{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += mixed[i];
}

// The bytes behind the last whole block, filled up to whole blocks, with the length at their end.
std::string last_blocks(std::string_view bytes) {
  std::string tail(bytes.substr(bytes.size() / kBlockBytes * kBlockBytes));
  tail += '\x80';
  while (tail.size() % kBlockBytes != kBlockBytes - 8) tail += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) tail += static_cast<char>(bits >> shift & 0xff);
  return tail;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256State state = constants().start;
  for (std::size_t at = 0; at + kBlockBytes <= bytes.size(); at += kBlockBytes)
    add_sha256_block(state, bytes.substr(at, kBlockBytes));
  const std::string tail = last_blocks(bytes);
  for (std::size_t at = 0; at < tail.size(); at += kBlockBytes)
    add_sha256_block(state, std::string_view(tail).substr(at, kBlockBytes));
  std::string hex;
  for (const std::uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 15];
  return hex;
}

}  // namespace rill
