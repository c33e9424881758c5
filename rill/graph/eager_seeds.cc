#include "rill/graph/eager_seeds.h"

#include <algorithm>
#include <vector>

namespace rill {

// Matsumoto and Nishimura's initialisation by an array: the seed's words, the lowest first.
EagerSeeds::EagerSeeds(std::uint64_t seed) {
  std::vector<std::uint32_t> key{static_cast<std::uint32_t>(seed)};
  if (seed >> 32 != 0) key.push_back(static_cast<std::uint32_t>(seed >> 32));
  state_[0] = 19650218;
  const auto mixed = [&](std::size_t i) { return state_[i - 1] ^ (state_[i - 1] >> 30); };
  for (std::size_t i = 1; i < kWords; ++i)
    state_[i] = 1812433253u * mixed(i) + static_cast<std::uint32_t>(i);
  std::size_t i = 1;
  const auto advance = [&] {
    if (++i < kWords) return;
    state_[0] = state_[kWords - 1];
    i = 1;
  };
  for (std::size_t n = 0; n < std::max(kWords, key.size()); ++n) {
    const std::size_t j = n % key.size();
    state_[i] = (state_[i] ^ (mixed(i) * 1664525u)) + key[j] + static_cast<std::uint32_t>(j);
    advance();
  }
  for (std::size_t n = 1; n < kWords; ++n) {
    state_[i] = (state_[i] ^ (mixed(i) * 1566083941u)) - static_cast<std::uint32_t>(i);
    advance();
  }
  state_[0] = 0x80000000u;
}

void EagerSeeds::refill() {
  constexpr std::size_t kShift = 397;
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::uint32_t both = (state_[i] & 0x80000000u) | (state_[(i + 1) % kWords] & 0x7fffffffu);
    state_[i] = state_[(i + kShift) % kWords] ^ (both >> 1) ^ ((both & 1) != 0 ? 0x9908b0dfu : 0);
  }
  used_ = 0;
}

std::uint32_t EagerSeeds::word() {
  if (used_ == kWords) refill();
  std::uint32_t y = state_[used_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

// A number of 32 bits is drawn until one is below 2^31.
std::int64_t EagerSeeds::next() {
  for (;;)
    if (const std::uint32_t drawn = word(); drawn < 0x80000000u) return drawn;
}

}  // namespace rill
