#include "rill/base/philox.h"

#include <random>

namespace rill {

Philox::Block Philox::block() const {
  Block c = counter_;
  Key k = key_;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = std::uint64_t{kMultipliers[0]} * c[0];
    const std::uint64_t p1 = std::uint64_t{kMultipliers[1]} * c[2];
    c = {high(p1) ^ c[1] ^ k[0], low(p1), high(p0) ^ c[3] ^ k[1], low(p0)};
    k[0] += kKeySteps[0];
    k[1] += kKeySteps[1];
  }
  return c;
}

std::uint64_t entropy_bits() {
  std::random_device device;
  const std::uint64_t upper = device();
  return upper << 32 | device();
}

}  // namespace rill
