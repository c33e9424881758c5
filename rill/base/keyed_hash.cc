#include "rill/base/keyed_hash.h"

#include <bit>
#include <cstring>

namespace rill {
namespace {

static_assert(std::endian::native == std::endian::little, "the hashes read little-endian words");

std::uint64_t word64_at(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// The last bytes of a text, fewer than eight, the rest zero. Reading what precedes them, or them
// twice, is quicker than copying a number of bytes that the compiler does not know.
std::uint64_t tail_word(std::string_view text) {
  const std::size_t count = text.size() % 8;
  if (count == 0) return 0;
  const char* const end = text.data() + text.size();
  if (text.size() >= 8) return word64_at(end - 8) >> (64 - 8 * count);
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  };
  if (count < 4) return byte(0) | byte(count / 2) | byte(count - 1);
  std::uint32_t first, last;
  std::memcpy(&first, text.data(), sizeof first);
  std::memcpy(&last, end - 4, sizeof last);
  return first | std::uint64_t{last} << (8 * (count - 4));
}

struct SipState {
  std::uint64_t a, b, c, d;

  void round() {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }
  void take(std::uint64_t word) {
    d ^= word;
    round();
    round();
    a ^= word;
  }
};

}  // namespace

std::uint64_t murmurhash64(std::string_view bytes, std::uint64_t seed) {
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995;
  constexpr int kShift = 47;
  std::uint64_t hash = seed ^ (bytes.size() * kFactor);
  const char* const end = bytes.data() + bytes.size() / 8 * 8;
  for (const char* p = bytes.data(); p != end; p += 8) {
    std::uint64_t word = word64_at(p) * kFactor;
    word = (word ^ (word >> kShift)) * kFactor;
    hash = (hash ^ word) * kFactor;
  }
  if (bytes.size() % 8 != 0) hash = (hash ^ tail_word(bytes)) * kFactor;
  hash = (hash ^ (hash >> kShift)) * kFactor;
  return hash ^ (hash >> kShift);
}

std::uint64_t siphash(std::string_view bytes, SipKey key) {
  // "somepseudorandomlygeneratedbytes"
  SipState state{key.low ^ 0x736f6d6570736575, key.high ^ 0x646f72616e646f6d,
                 key.low ^ 0x6c7967656e657261, key.high ^ 0x7465646279746573};
  const char* const end = bytes.data() + bytes.size() / 8 * 8;
  for (const char* p = bytes.data(); p != end; p += 8) state.take(word64_at(p));
  state.take(tail_word(bytes) | std::uint64_t{bytes.size()} << 56);
  state.c ^= 0xff;
  for (int i = 0; i < 4; ++i) state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace rill
