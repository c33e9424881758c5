#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "rill/base/philox.h"

namespace rill {

// Fisher and Yates from the front, one word of the stream per exchange.
template <class T>
void shuffle(std::span<T> items, Philox stream) {
  Philox::Block words{};
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    if (i % 4 == 0) words = stream.next();
    // A size beyond 32 bits is taken modulo 2^32, which must not be 0.
    const auto left = static_cast<std::uint32_t>(items.size() - i);
    std::swap(items[i], items[i + (left == 0 ? words[i % 4] : words[i % 4] % left)]);
  }
}

}  // namespace rill
