#pragma once

#include "rill/base/philox.h"

namespace rill {

// The words of a stream one by one, for ops that need a number of them which is not known ahead.
class PhiloxWords {
 public:
  explicit PhiloxWords(const Philox& stream) : stream_(stream) {}

  std::uint32_t next() {
    if (used_ == block_.size()) {
      block_ = stream_.next();
      used_ = 0;
    }
    return block_[used_++];
  }
  // In [0, 1).
  float next_float() { return static_cast<float>(next() & 0x7fffff) / 0x800000; }
  // In [0, bound), each number equally often: words that favour small ones are drawn anew.
  std::uint32_t below(std::uint32_t bound) {
    if (bound == 0) return next() & 0;
    if ((bound & (bound - 1)) == 0) return next() & (bound - 1);
    const std::uint32_t surplus = ~std::uint32_t{0} % bound + 1;
    std::uint32_t word = next();
    while (word < surplus) word = next();
    return word % bound;
  }

 private:
  Philox stream_;
  Philox::Block block_{};
  std::size_t used_ = std::tuple_size_v<Philox::Block>;
};

}  // namespace rill
