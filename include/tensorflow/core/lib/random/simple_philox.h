#ifndef TENSORFLOW_CORE_LIB_RANDOM_SIMPLE_PHILOX_H_
#define TENSORFLOW_CORE_LIB_RANDOM_SIMPLE_PHILOX_H_

#include "tensorflow/core/lib/random/random_distributions.h"

namespace tensorflow {
namespace random {

// One number after the other of a generator, which it does not own.
class SimplePhilox {
 public:
  explicit SimplePhilox(PhiloxRandom* gen) : gen_(gen), used_(PhiloxRandom::kResultElementCount) {}

  uint32 Rand32() {
    if (used_ == PhiloxRandom::kResultElementCount) {
      numbers_ = (*gen_)();
      used_ = 0;
    }
    return numbers_[used_++];
  }
  uint64 Rand64() {
    const uint32 low = Rand32(), high = Rand32();
    return low | static_cast<uint64>(high) << 32;
  }
  float RandFloat() { return Uint32ToFloat(Rand32()); }
  double RandDouble() {
    const uint32 first = Rand32(), second = Rand32();
    return Uint64ToDouble(first, second);
  }
  // Below n, each as likely as the others; 0 where n is.
  uint32 Uniform(uint32 n) { return static_cast<uint32>(Uniform64(n)); }
  uint64 Uniform64(uint64 n) {
    if (n == 0) return 0;
    const uint64 limit = ~uint64{0} - ~uint64{0} % n;
    while (true) {
      const uint64 number = Rand64();
      if (number < limit) return number % n;
    }
  }
  bool OneIn(uint32 n) { return Uniform(n) == 0; }
  // Below 2 to the power of at most max_log: small numbers are more likely.
  uint32 Skewed(int max_log) {
    const uint32 shift = Rand32() % static_cast<uint32>(max_log + 1);
    const uint32 mask = shift == 32 ? ~uint32{0} : (uint32{1} << shift) - 1;
    return Rand32() & mask;
  }

 private:
  PhiloxRandom* gen_;
  PhiloxRandom::ResultType numbers_;
  int used_;
};

}  // namespace random
}  // namespace tensorflow

#endif
