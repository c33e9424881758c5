#pragma once

#include <cstdint>

namespace rill::serve {

// The next smaller number of rows of which there are few: 32, 48, 64, 96 and so on, all up to 16.
// Kernels prepare themselves for each number that they meet.
std::int64_t round_rows(std::int64_t rows);

// Learns from steps what they cost, and from that how many rows it is worth while to join: a step
// of n rows takes about a + b n; beyond some number of rows the share of a no longer matters, and
// more of them would only have their requests wait for each other. Not for several threads at once.
class BatchTuning {
 public:
  // So many rows are joined, from 8 to 1024.
  std::int64_t max_rows() const { return max_rows_; }
  // With fewer rows than these a step is so much dearer for each that it is better to wait for the
  // end of one that runs than to run another one beside it.
  std::int64_t enough_rows() const { return enough_rows_; }
  // `nanos` is what the thread that ran the step worked for it.
  void add_step(std::int64_t rows, std::int64_t nanos);

 private:
  void choose();

  // The quickest step of each size, by powers of two: what else the machine does only makes steps
  // slower. It is forgotten bit by bit.
  struct Quickest {
    double rows = 0, nanos = 0;  // 0: there was none
  };
  static constexpr int kSizes = 11;
  Quickest quickest_[kSizes];
  int steps_ = 0, full_ = 0;  // full_: how many of the last ones were as large as they may be
  std::int64_t max_rows_ = 64, enough_rows_ = 16;
};

}  // namespace rill::serve
