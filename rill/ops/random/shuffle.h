#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "rill/ops/random/philox_rows.h"

namespace rill {

// Fisher and Yates from the front, one word of the stream per exchange.
template <class T>
void shuffle(std::span<T> items, Philox stream) {
  constexpr std::size_t kBlocks = 64;
  std::uint32_t words[4 * kBlocks];
  for (std::size_t i = 0; i + 1 < items.size();) {
    const std::size_t count = std::min(4 * kBlocks, items.size() - 1 - i);
    philox_words(stream, 1, words, (count + 3) / 4);
    stream.skip(kBlocks);
    for (std::size_t k = 0; k < count; ++k, ++i) {
      // A size beyond 32 bits is taken modulo 2^32, which must not be 0.
      const auto left = static_cast<std::uint32_t>(items.size() - i);
      std::swap(items[i], items[i + (left == 0 ? words[k] : words[k] % left)]);
    }
  }
}

}  // namespace rill
