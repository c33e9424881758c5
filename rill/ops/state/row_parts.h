#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "rill/kernel/kernel_call.h"

namespace rill {

// Shares out updates of rows of `bytes` bytes by the row that they change: update i changes row
// rows[i], which is not negative, and takes `nanos` nanoseconds, roughly. Calls body(count, at),
// on several threads where that pays; the updates at(0) ... at(count - 1) are its own, in
// ascending order, and no other call changes their rows.
template <class Index, class Body>
void for_row_parts(const KernelCall& call, std::span<const Index> rows, std::size_t bytes,
                   double nanos, Body body) {
  constexpr std::size_t kMostParts = 8, kBlockBytes = 256;
  constexpr double kPartNanos = 20'000;
  const double wanted = static_cast<double>(rows.size()) * nanos / kPartNanos;
  const std::size_t parts =
      std::bit_floor(std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, kMostParts));
  if (parts == 1) return body(rows.size(), [](std::size_t i) { return i; });
  // Neighbours share lines of the cache and stay together; blocks of them are spread, since those
  // that change most often may be neighbours, too.
  const int block = std::bit_width(kBlockBytes / std::max<std::size_t>(bytes, 1));
  const int drop = 64 - std::countr_zero(parts);
  const auto part_of = [&](Index row) {
    return static_cast<std::size_t>(
        (static_cast<std::uint64_t>(row) >> block) * 0x9E3779B97F4A7C15u >> drop);
  };
  std::size_t ends[kMostParts + 1] = {};
  for (const Index row : rows) ++ends[part_of(row) + 1];
  for (std::size_t part = 1; part <= parts; ++part) ends[part] += ends[part - 1];
  std::vector<std::size_t> order(rows.size());
  // While updates are placed, entry p is where the next one of part p goes; then its end.
  for (std::size_t i = 0; i < rows.size(); ++i) order[ends[part_of(rows[i])]++] = i;
  call.parallel_for(parts, 1e9, [&](std::size_t begin, std::size_t end) {
    for (std::size_t part = begin; part < end; ++part) {
      const std::size_t from = part == 0 ? 0 : ends[part - 1];
      body(ends[part] - from, [&, from](std::size_t i) { return order[from + i]; });
    }
  });
}

}  // namespace rill
