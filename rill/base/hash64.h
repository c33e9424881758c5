#pragma once

#include <cstdint>
#include <string_view>

namespace rill {

// MurmurHash64A with the seed that TensorFlow starts from: what its tables and hash buckets use.
std::uint64_t hash64(std::string_view data, std::uint64_t seed = 0xDECAFCAFFE);

// One hash from two, in TensorFlow's way.
inline std::uint64_t hash64_combine(std::uint64_t a, std::uint64_t b) {
  return a ^ (b + 0x9e3779b97f4a7800u + (a << 10) + (a >> 4));
}

}  // namespace rill
