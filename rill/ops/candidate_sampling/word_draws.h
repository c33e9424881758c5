#pragma once

#include "rill/ops/random/philox_rows.h"

namespace rill {

// The words of a stream, one after the other, and numbers made of them as TensorFlow's samplers do.
class WordDraws {
 public:
  explicit WordDraws(const Philox& stream) : stream_(stream) {}

  std::uint32_t word() {
    if (used_ == words_.size()) {
      words_ = stream_.next();
      used_ = 0;
    }
    return words_[used_++];
  }
  float uniform_float() { return static_cast<float>(word() & 0x7fffff) * 0x1p-23F; }
  double uniform() {
    const std::uint32_t upper = word();
    return uniform_double(upper, word());
  }

  // Below `count`, which is at least 1, each number equally likely: words that would favour the
  // small ones are passed over.
  std::uint32_t below(std::uint32_t count) {
    return unbiased<std::uint32_t>(count, [this] { return word(); });
  }
  std::uint64_t below(std::uint64_t count) {
    return unbiased<std::uint64_t>(count, [this] {
      const std::uint32_t low = word();
      return Philox::join(word(), low);
    });
  }

 private:
  template <class Word, class Next>
  static Word unbiased(Word count, Next next) {
    if ((count & (count - 1)) == 0) return next() & (count - 1);
    const Word surplus = static_cast<Word>(~Word{0} % count + 1);
    Word drawn = next();
    while (drawn < surplus) drawn = next();
    return drawn % count;
  }

  Philox stream_;
  Philox::Block words_{};
  std::size_t used_ = 4;
};

}  // namespace rill
