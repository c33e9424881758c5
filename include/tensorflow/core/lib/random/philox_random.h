#ifndef TENSORFLOW_CORE_LIB_RANDOM_PHILOX_RANDOM_H_
#define TENSORFLOW_CORE_LIB_RANDOM_PHILOX_RANDOM_H_

#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace random {

template <typename T, int ElementCount>
class Array {
 public:
  Array() {
    for (int i = 0; i < ElementCount; ++i) data_[i] = T(0);
  }
  const T& operator[](int index) const { return data_[index]; }
  T& operator[](int index) { return data_[index]; }
  size_t size() const { return ElementCount; }

 private:
  T data_[ElementCount];
};

// Philox 4x32 with ten rounds: the random numbers of a counter under a key. Numbers are those of
// the ops of the graph with the same seeds.
class PhiloxRandom {
 public:
  typedef Array<uint32, 4> ResultType;
  typedef uint32 ResultElementType;
  typedef Array<uint32, 2> Key;
  static constexpr int kResultElementCount = 4;
  static constexpr int kElementCost = 10;

  PhiloxRandom() {}
  explicit PhiloxRandom(uint64 seed) {
    key_[0] = low(seed);
    key_[1] = high(seed);
  }
  PhiloxRandom(uint64 seed_lo, uint64 seed_hi) {
    key_[0] = low(seed_lo);
    key_[1] = high(seed_lo);
    counter_[2] = low(seed_hi);
    counter_[3] = high(seed_hi);
  }
  PhiloxRandom(ResultType counter, Key key) : counter_(counter), key_(key) {}

  const ResultType& counter() const { return counter_; }
  const Key& key() const { return key_; }

  // As many calls further.
  void Skip(uint64 count) {
    const uint64 first = join(counter_[0], counter_[1]), sum = first + count;
    counter_[0] = low(sum);
    counter_[1] = high(sum);
    if (sum < first && ++counter_[2] == 0) ++counter_[3];
  }

  ResultType operator()() {
    ResultType numbers = counter_;
    Key key = key_;
    for (int round = 0; round < 10; ++round) {
      const uint64 a = uint64{0xD2511F53} * numbers[0], b = uint64{0xCD9E8D57} * numbers[2];
      ResultType mixed;
      mixed[0] = high(b) ^ numbers[1] ^ key[0];
      mixed[1] = low(b);
      mixed[2] = high(a) ^ numbers[3] ^ key[1];
      mixed[3] = low(a);
      numbers = mixed;
      key[0] += 0x9E3779B9;
      key[1] += 0xBB67AE85;
    }
    Skip(1);
    return numbers;
  }

 private:
  static uint32 low(uint64 value) { return static_cast<uint32>(value); }
  static uint32 high(uint64 value) { return static_cast<uint32>(value >> 32); }
  static uint64 join(uint32 low_half, uint32 high_half) {
    return static_cast<uint64>(high_half) << 32 | low_half;
  }

  ResultType counter_;
  Key key_;
};

}  // namespace random
}  // namespace tensorflow

#endif
