#pragma once

#include <algorithm>

#include "rill/kernel/kernel_call.h"

namespace rill {

// The rows of a tensor that one thread writes while several scatter to it: each looks at all
// indices and takes its own, so that updates of one row stay in their order.
struct RowOwner {
  std::int64_t begin, end;
  bool has(std::int64_t row) const { return row >= begin && row < end; }
};

// Calls body(owner) for owners that share out `row_count` rows, on several threads when `count`
// updates of `bytes` each are worth it.
template <class Body>
void for_owned_rows(const KernelCall& call, std::int64_t row_count, std::int64_t count,
                    std::size_t bytes, Body body) {
  constexpr std::int64_t kMostOwners = 8;
  constexpr double kOwnerNanos = 40'000;
  const double nanos = static_cast<double>(count) * (5 + 0.1 * static_cast<double>(bytes));
  const std::int64_t owners = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(nanos / kOwnerNanos), 1, std::min(kMostOwners, row_count));
  const double cost = nanos / static_cast<double>(owners);
  call.parallel_for(static_cast<std::size_t>(owners), owners > 1 ? std::max(cost, 20'000.0) : cost,
                    [&](std::size_t first, std::size_t last) {
                      for (auto i = static_cast<std::int64_t>(first);
                           i < static_cast<std::int64_t>(last); ++i)
                        body(RowOwner{row_count * i / owners, row_count * (i + 1) / owners});
                    });
}

}  // namespace rill
