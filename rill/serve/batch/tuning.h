#pragma once

#include <cstdint>

namespace rill::serve {

// Learns from steps what they cost, and from that how many rows it is worth while to join: a step
// of n rows takes about a + b n; beyond some number of rows the share of a no longer matters, and
// more of them would only have their requests wait for each other. Not for several threads at once.
class BatchTuning {
 public:
  // So many rows are joined, from 8 to 1024.
  std::int64_t most_rows() const { return most_rows_; }
  // With fewer rows than these a step is so much dearer for each that it is better to wait for the
  // end of one that runs than to run another one beside it.
  std::int64_t enough_rows() const { return enough_rows_; }
  void add_step(std::int64_t rows, std::int64_t nanos);

 private:
  void choose();

  // Sums over past steps, old ones weighing less.
  double weight_ = 0, rows_ = 0, nanos_ = 0, squares_ = 0, products_ = 0;
  int steps_ = 0;
  std::int64_t most_rows_ = 64, enough_rows_ = 16;
};

}  // namespace rill::serve
