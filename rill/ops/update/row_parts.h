#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "rill/kernel/kernel_call.h"

namespace rill {

// Shares out updates of rows of `bytes` bytes by the row that they change: update i changes row
// rows[i], which is not negative, and takes `nanos` nanoseconds, roughly. Calls body(count, at),
// on several threads where that pays, for the updates at(0), ..., at(count - 1). Those of one row
// are made on one thread, in ascending order.
template <class Index, class Body>
void for_row_parts(const KernelCall& call, std::span<const Index> rows, std::size_t bytes,
                   double nanos, Body body) {
  constexpr std::size_t kMaxParts = 8, kBlockBytes = 256, kAtOnce = 512;
  constexpr double kPartNanos = 20'000, kLookNanos = 1.5;
  // Each part looks at all updates to find its own, which must not cost more than they do.
  const double wanted =
      std::min(static_cast<double>(rows.size()) * nanos / kPartNanos, nanos / kLookNanos);
  const std::size_t parts =
      std::bit_floor(std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, kMaxParts));
  if (parts == 1) return body(rows.size(), [](std::size_t i) { return i; });
  // Neighbours share lines of the cache and stay together; blocks of them are dealt out in turn,
  // since those that change most often may be neighbours, too.
  const auto block =
      static_cast<int>(std::bit_width(kBlockBytes / std::max<std::size_t>(bytes, 1)));
  call.parallel_for(parts, 1e9, [&, block](std::size_t part, std::size_t end) {
    const std::span<const Index> all = rows;
    const auto dealt = static_cast<Index>((parts - 1) << block);
    std::size_t own[kAtOnce];
    for (; part < end; ++part)
      for (std::size_t from = 0; from < all.size(); from += kAtOnce) {
        const std::size_t to = std::min(all.size(), from + kAtOnce);
        const auto wanted = static_cast<Index>(part << block);
        std::size_t count = 0;
        for (std::size_t i = from; i < to; ++i) {  // without a branch, which nobody could predict
          own[count] = i;
          count += static_cast<std::size_t>((all[i] & dealt) == wanted);
        }
        body(count, [&own](std::size_t i) { return own[i]; });
      }
  });
}

}  // namespace rill
