#pragma once

#include <array>
#include <cstdint>

namespace rill {

// The counter-based random generator Philox-4x32-10 of Salmon, Moraes, Dror and Shaw: block n of a
// stream is a function of the key and the counter plus n, so any part of it can be computed alone.
class Philox {
 public:
  using Key = std::array<std::uint32_t, 2>;
  using Block = std::array<std::uint32_t, 4>;  // as a counter: 128 bits, lowest word first

  Philox(Key key, Block counter) : key_(key), counter_(counter) {}
  // The stream of an op with these seeds.
  Philox(std::uint64_t seed, std::uint64_t seed2)
      : key_{low(seed), high(seed)}, counter_{0, 0, low(seed2), high(seed2)} {}

  const Key& key() const { return key_; }
  const Block& counter() const { return counter_; }

  void skip(std::uint64_t blocks) {
    const std::uint64_t lower = join(counter_[1], counter_[0]) + blocks;
    const std::uint64_t upper = join(counter_[3], counter_[2]) + (lower < blocks);
    counter_ = {low(lower), high(lower), low(upper), high(upper)};
  }
  Block next() {
    const Block result = block();
    skip(1);
    return result;
  }
  Block block() const;  // the one that next() returns

  static constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static constexpr std::uint32_t high(std::uint64_t x) {
    return static_cast<std::uint32_t>(x >> 32);
  }
  static constexpr std::uint64_t join(std::uint32_t high, std::uint32_t low) {
    return static_cast<std::uint64_t>(high) << 32 | low;
  }

  static constexpr int kRounds = 10;
  static constexpr Key kMultipliers{0xD2511F53, 0xCD9E8D57};
  static constexpr Key kKeySteps{0x9E3779B9, 0xBB67AE85};

 private:
  Key key_;
  Block counter_;
};

// 64 bits that nobody can foretell, from the operating system.
std::uint64_t entropy_bits();

}  // namespace rill
