#pragma once

#include <atomic>
#include <mutex>

#include "rill/ops/data/core/dataset.h"

namespace rill {

// A batch whose rows come in any order, from several threads at once. The first row to come decides
// on the shapes.
class BatchInMaking {
 public:
  explicit BatchInMaking(std::int64_t size) : size_(size) {}

  // Throws InvalidArgument for a row of another shape or type than the first.
  void set_row(std::int64_t row, const Element& element);
  // The first `count` rows; of the whole batch, without a copy.
  Element rows(std::int64_t count) const;

 private:
  void begin(const Element& element);

  const std::int64_t size_;
  std::mutex mutex_;  // until it has begun
  std::atomic<bool> began_{false};
  Element batch_;
  std::vector<Shape> shapes_;  // of one row
};

}  // namespace rill
