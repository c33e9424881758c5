#include "rill/base/keyed_hash.h"

#include <bit>
#include <cstring>

namespace rill {
namespace {

static_assert(std::endian::native == std::endian::little, "the hashes read little-endian words");

std::uint64_t word_at(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// Fewer than eight bytes, the rest zero.
std::uint64_t tail_word(std::string_view tail) {
  std::uint64_t word = 0;
  std::memcpy(&word, tail.data(), tail.size());
  return word;
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
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word = word_at(bytes.data()) * kFactor;
    word = (word ^ (word >> kShift)) * kFactor;
    hash = (hash ^ word) * kFactor;
  }
  if (!bytes.empty()) hash = (hash ^ tail_word(bytes)) * kFactor;
  hash = (hash ^ (hash >> kShift)) * kFactor;
  return hash ^ (hash >> kShift);
}

std::uint64_t siphash(std::string_view bytes, SipKey key) {
  // "somepseudorandomlygeneratedbytes"
  SipState state{key.low ^ 0x736f6d6570736575, key.high ^ 0x646f72616e646f6d,
                 key.low ^ 0x6c7967656e657261, key.high ^ 0x7465646279746573};
  const std::uint64_t length = bytes.size();
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) state.take(word_at(bytes.data()));
  state.take((bytes.empty() ? 0 : tail_word(bytes)) | length << 56);
  state.c ^= 0xff;
  for (int i = 0; i < 4; ++i) state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace rill
