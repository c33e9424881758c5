#pragma once

#include <array>
#include <cstdint>

namespace rill {

// The numbers that TensorFlow's eager context draws as seeds of ops that have none of their own:
// those of Python's random.Random(seed).randint(0, 2**31 - 1), a Mersenne Twister.
class EagerSeeds {
 public:
  explicit EagerSeeds(std::uint64_t seed);
  std::int64_t next();

 private:
  static constexpr std::size_t kWords = 624;
  std::uint32_t word();
  void refill();
  std::array<std::uint32_t, kWords> state_;
  std::size_t used_ = kWords;
};

}  // namespace rill
