#pragma once

#include <algorithm>
#include <span>

#include "rill/kernel/kernel_call.h"

namespace rill {

// Where the run that begins at `begin` ends; ids ascend.
template <class Index>
std::size_t run_end(std::span<const Index> ids, std::size_t begin) {
  constexpr std::size_t kStride = 16;
  std::size_t end = begin + 1;
  while (end + kStride <= ids.size() && ids[end + kStride - 1] == ids[begin]) end += kStride;
  while (end < ids.size() && ids[end] == ids[begin]) ++end;
  return end;
}

// Calls body(id, begin, count) for each run of equal ids, of which all rows belong to one segment,
// on several threads where that pays for rows of `bytes` bytes. Ids ascend.
template <class Index, class Body>
void for_runs_of(const KernelCall& call, std::span<const Index> ids, std::size_t bytes, Body body) {
  constexpr std::size_t kMaxParts = 16;
  constexpr double kPartNanos = 20'000;
  const double nanos = static_cast<double>(ids.size()) * (1 + 0.03 * static_cast<double>(bytes));
  const std::size_t parts =
      std::clamp<std::size_t>(static_cast<std::size_t>(nanos / kPartNanos), 1, kMaxParts);
  // A part takes the runs that begin in its share of the ids.
  call.parallel_for(parts, 1e9, [&](std::size_t part, std::size_t last) {
    const std::size_t stop = ids.size() * last / parts;
    std::size_t at = ids.size() * part / parts;
    if (at > 0 && at < stop && ids[at - 1] == ids[at]) at = run_end(ids, at);
    while (at < stop) {
      const std::size_t end = run_end(ids, at);
      body(static_cast<std::int64_t>(ids[at]), static_cast<std::int64_t>(at),
           static_cast<std::int64_t>(end - at));
      at = end;
    }
  });
}
template <class Body>
void for_segment_runs(const KernelCall& call, const Tensor& ids, std::size_t bytes, Body body) {
  if (ids.dtype() == DType::i32)
    for_runs_of(call, std::span<const std::int32_t>(ids.flat<std::int32_t>()), bytes, body);
  else
    for_runs_of(call, std::span<const std::int64_t>(ids.flat<std::int64_t>()), bytes, body);
}

}  // namespace rill
