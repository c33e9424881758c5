#pragma once

#include <cstdint>
#include <string_view>

#include "rill/base/keyed_hash.h"

namespace rill {

// The hash of TensorFlow's tables, graphs and older hash buckets.
inline std::uint64_t hash64(std::string_view data) { return murmurhash64(data, 0xDECAFCAFFE); }

// One hash from two, in TensorFlow's way.
inline std::uint64_t hash64_combine(std::uint64_t a, std::uint64_t b) {
  return a ^ (b + 0x9e3779b97f4a7800u + (a << 10) + (a >> 4));
}

}  // namespace rill
