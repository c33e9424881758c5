#pragma once

#include <cstdint>
#include <string_view>

namespace rill {

// Hashes that never change, since programs keep what they give: numbers of buckets, of embeddings.

// MurmurHash64A: quick, no defence against inputs made to collide.
std::uint64_t murmurhash64(std::string_view bytes, std::uint64_t seed);

// SipHash-2-4: who does not know the key cannot make inputs that collide.
struct SipKey {
  std::uint64_t low, high;
};
std::uint64_t siphash(std::string_view bytes, SipKey key);

}  // namespace rill
