#pragma once

#include <algorithm>

#include "rill/kernel/kernel_call.h"

namespace rill {

// Shares out the columns of `count` updates of rows of `width` elements, of `size` bytes each:
// calls body(column, n) for parts of the columns, on several threads where that pays. Each part
// does all updates, so that those of one element stay in their order.
template <class Body>
void for_column_parts(const KernelCall& call, std::int64_t count, std::size_t width,
                      std::size_t size, Body body) {
  constexpr std::size_t kMaxParts = 8, kMinBytes = 512;
  constexpr double kPartNanos = 30'000;
  const double nanos = static_cast<double>(count) * (5 + 0.05 * static_cast<double>(width * size));
  const std::size_t parts = std::clamp<std::size_t>(
      std::min(static_cast<std::size_t>(nanos / kPartNanos), width * size / kMinBytes), 1,
      kMaxParts);
  call.parallel_for(parts, 1e9, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t column = width * i / parts;
      body(column, width * (i + 1) / parts - column);
    }
  });
}

}  // namespace rill
