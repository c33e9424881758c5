#include "rill/base/farmhash.h"

#include <bit>
#include <cstring>
#include <utility>

namespace rill {
namespace {

// The primes of CityHash and FarmHash.
constexpr std::uint64_t kPrime0 = 0xc3a5c85c97cb3127, kPrime1 = 0xb492b66fbe98f273,
                        kPrime2 = 0x9ae16a3b2f90404f;

template <class T = std::uint64_t>
std::uint64_t load(const char* at) {  // little-endian, as all machines Rill runs on
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::uint64_t fold(std::uint64_t x) { return x ^ (x >> 47); }

std::uint64_t mix_pair(std::uint64_t u, std::uint64_t v, std::uint64_t factor) {
  const std::uint64_t a = fold((u ^ v) * factor);
  return fold((v ^ a) * factor) * factor;
}

std::uint64_t hash_up_to_16(const char* s, std::size_t n) {
  const std::uint64_t factor = kPrime2 + n * 2;
  if (n >= 8) {
    const std::uint64_t a = load(s) + kPrime2, b = load(s + n - 8);
    return mix_pair(std::rotr(b, 37) * factor + a, (std::rotr(a, 25) + b) * factor, factor);
  }
  if (n >= 4)
    return mix_pair(n + (load<std::uint32_t>(s) << 3), load<std::uint32_t>(s + n - 4), factor);
  if (n == 0) return kPrime2;
  const auto byte = [s](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(s[i])}; };
  const std::uint64_t y = byte(0) + (byte(n >> 1) << 8), z = n + (byte(n - 1) << 2);
  return fold(y * kPrime2 ^ z * kPrime0) * kPrime2;
}

// The ends of up to 64 bytes, 16 from each side, as two numbers.
struct Ends {
  Ends(const char* s, std::size_t n, std::uint64_t first_factor, std::uint64_t factor)
      : a(load(s) * first_factor) {
    const std::uint64_t b = load(s + 8), c = load(s + n - 8) * factor;
    y = std::rotr(a + b, 43) + std::rotr(c, 30) + load(s + n - 16) * kPrime2;
    z = a + std::rotr(b + kPrime2, 18) + c;
  }
  std::uint64_t a, y = 0, z = 0;
};

std::uint64_t hash_up_to_32(const char* s, std::size_t n) {
  const std::uint64_t factor = kPrime2 + n * 2;
  const Ends ends(s, n, kPrime1, factor);
  return mix_pair(ends.y, ends.z, factor);
}

std::uint64_t hash_up_to_64(const char* s, std::size_t n) {
  const std::uint64_t factor = kPrime2 + n * 2;
  const Ends ends(s, n, kPrime2, factor);
  const std::uint64_t z = mix_pair(ends.y, ends.z, factor);
  const std::uint64_t e = load(s + 16) * factor, f = load(s + 24);
  const std::uint64_t g = (ends.y + load(s + n - 32)) * factor;
  const std::uint64_t h = (z + load(s + n - 24)) * factor;
  return mix_pair(std::rotr(e + f, 43) + std::rotr(g, 30) + h, e + std::rotr(f + ends.a, 18) + g,
                  factor);
}

// Longer strings pass through this state, 64 bytes at a time.
struct Mixer {
  struct Pair {
    std::uint64_t first = 0, second = 0;
  };
  std::uint64_t x, y, z;
  Pair v, w;

  static Pair weak(const char* s, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t last = load(s + 24);
    a += load(s);
    b = std::rotr(b + a + last, 21);
    const std::uint64_t c = a;
    a += load(s + 8) + load(s + 16);
    return {a + last, b + std::rotr(a, 44) + c};
  }

  void take(const char* s, std::uint64_t factor, std::uint64_t weight) {
    x = std::rotr(x + y + v.first + load(s + 8), 37) * factor;
    y = std::rotr(y + v.second + load(s + 48), 42) * factor;
    x ^= w.second * weight;
    y += v.first * weight + load(s + 40);
    z = std::rotr(z + w.first, 33) * factor;
    v = weak(s, v.second * factor, x + w.first);
    w = weak(s + 32, z + w.second, y + load(s + 16));
    std::swap(z, x);
  }
};

std::uint64_t hash_long(const char* s, std::size_t n) {
  constexpr std::uint64_t kSeed = 81;
  Mixer m{};
  m.y = kSeed * kPrime1 + 113;
  m.z = fold(m.y * kPrime2 + 113) * kPrime2;
  m.x = kSeed * kPrime2 + load(s);
  const std::size_t rest = (n - 1) % 64;  // of the last block, whose end is the string's
  const char* const last = s + n - 64;
  for (std::size_t blocks = (n - 1) / 64; blocks > 0; --blocks, s += 64) m.take(s, kPrime1, 1);
  const std::uint64_t factor = kPrime1 + ((m.z & 0xff) << 1);
  m.w.first += rest;
  m.v.first += m.w.first;
  m.w.first += m.v.first;
  m.take(last, factor, 9);
  return mix_pair(mix_pair(m.v.first, m.w.first, factor) + fold(m.y) * kPrime0 + m.z,
                  mix_pair(m.v.second, m.w.second, factor) + m.x, factor);
}

// --- 128 bits
// -------------------------------------------------------------------------------------

constexpr std::uint64_t kPairFactor = 0x9ddfea08eb382d69;

std::uint64_t mix_pair(std::uint64_t u, std::uint64_t v) { return mix_pair(u, v, kPairFactor); }

using Halves = std::pair<std::uint64_t, std::uint64_t>;

// Less than 128 bytes.
Halves hash128_short(const char* s, std::size_t n, Halves seed) {
  auto [a, b] = seed;
  std::uint64_t c, d;
  if (n <= 16) {
    a = fold(a * kPrime1) * kPrime1;
    c = b * kPrime1 + hash_up_to_16(s, n);
    d = fold(a + (n >= 8 ? load(s) : c));
  } else {
    c = mix_pair(load(s + n - 8) + kPrime1, a);
    d = mix_pair(b + n, c + load(s + n - 16));
    a += d;
    for (std::size_t left = n - 16;; left -= 16, s += 16) {
      a = (a ^ fold(load(s) * kPrime1) * kPrime1) * kPrime1;
      b ^= a;
      c = (c ^ fold(load(s + 8) * kPrime1) * kPrime1) * kPrime1;
      d ^= c;
      if (left <= 16) break;
    }
  }
  a = mix_pair(a, c);
  b = mix_pair(d, b);
  return {a ^ b, mix_pair(b, a)};
}

Halves hash128_long(const char* s, std::size_t n, Halves seed) {
  Mixer m{};
  m.x = seed.first;
  m.y = seed.second;
  m.z = n * kPrime1;
  m.v.first = std::rotr(m.y ^ kPrime1, 49) * kPrime1 + load(s);
  m.v.second = std::rotr(m.v.first, 42) * kPrime1 + load(s + 8);
  m.w.first = std::rotr(m.y + m.z, 35) * kPrime1 + m.x;
  m.w.second = std::rotr(m.x + load(s + 88), 53) * kPrime1;
  for (; n >= 128; n -= 128, s += 128) {
    m.take(s, kPrime1, 1);
    m.take(s + 64, kPrime1, 1);
  }
  m.x += std::rotr(m.v.first + m.z, 49) * kPrime0;
  m.y = m.y * kPrime0 + std::rotr(m.w.second, 37);
  m.z = m.z * kPrime0 + std::rotr(m.w.first, 27);
  m.w.first *= 9;
  m.v.first *= kPrime0;
  // The rest from its end, 32 bytes at a time; the last step may reach back into what was seen.
  for (std::size_t done = 0; done < n;) {
    done += 32;
    const char* const at = s + n - done;
    m.y = std::rotr(m.x + m.y, 42) * kPrime0 + m.v.second;
    m.w.first += load(at + 16);
    m.x = m.x * kPrime0 + m.w.first;
    m.z += m.w.second + load(at);
    m.w.second += m.v.first;
    m.v = Mixer::weak(at, m.v.first + m.z, m.v.second);
    m.v.first *= kPrime0;
  }
  m.x = mix_pair(m.x, m.v.first);
  m.y = mix_pair(m.y + m.z, m.w.first);
  return {mix_pair(m.x + m.v.second, m.w.second) + m.y,
          mix_pair(m.x + m.w.second, m.y + m.v.second)};
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> farmhash128(std::string_view bytes) {
  const char* s = bytes.data();
  std::size_t n = bytes.size();
  Halves seed{kPrime0, kPrime1};
  if (n >= 16) {
    seed = {load(s), load(s + 8) + kPrime0};
    s += 16;
    n -= 16;
  }
  return n < 128 ? hash128_short(s, n, seed) : hash128_long(s, n, seed);
}

std::uint64_t farmhash64(std::string_view bytes) {
  const char* s = bytes.data();
  const std::size_t n = bytes.size();
  if (n <= 16) return hash_up_to_16(s, n);
  if (n <= 32) return hash_up_to_32(s, n);
  return n <= 64 ? hash_up_to_64(s, n) : hash_long(s, n);
}

}  // namespace rill
