#pragma once

#include <vector>

#include "rill/ops/nn/depthwise/depthwise_rows.h"

namespace rill {

// Channels that do not fill vectors: pixels that stand side by side are taken as one with more
// channels, and the filter is repeated as often.
template <class T>
class NarrowFilter {
 public:
  // `columns` are the taps of each element of a row, `filter` has `taps` of `channels`. May find
  // that nothing is gained.
  NarrowFilter(std::span<const TapRun> columns, const T* filter, std::int64_t taps,
               std::int64_t channels);

  // The neighbours of a row that it computes; the others are left to DepthwiseRows.
  std::int64_t begin() const { return begin_; }
  std::int64_t end() const { return end_; }

  // As DepthwiseRows::gather, for these.
  void gather(T* out, const T* source, const TapRun& rows, std::span<const TapRun> columns) const;

 private:
  std::int64_t begin_ = 0, end_ = 0, channels_, block_ = 0;
  std::vector<T> filter_;  // [taps][block_]
};

}  // namespace rill
