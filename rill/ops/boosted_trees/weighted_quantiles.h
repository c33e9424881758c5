#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rill {

// A value of a weighted stream: the ranks it can have, in weight that lies before and up to it.
struct QuantileEntry {
  float value = 0, weight = 0, min_rank = 0, max_rank = 0;

  float previous_max_rank() const { return max_rank - weight; }
  float next_min_rank() const { return min_rank + weight; }
};

// What is kept of a stream: entries by value, from which quantiles are read with a bounded error.
class QuantileSummary {
 public:
  QuantileSummary() = default;
  explicit QuantileSummary(std::vector<QuantileEntry> entries) : entries_(std::move(entries)) {}
  // Of values and weights in any order.
  static QuantileSummary of(std::vector<std::pair<float, float>> weighted);

  void merge(const QuantileSummary& other);
  // Leaves about `size` entries, at least 2, so that the error grows by 1 / size or min_error.
  void compress(std::int64_t size, double min_error = 0);

  const std::vector<QuantileEntry>& entries() const { return entries_; }
  std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }
  float total_weight() const { return entries_.empty() ? 0 : entries_.back().max_rank; }
  double error() const;

  // Values that part the stream: about `count` of them, or count + 1 of evenly spaced ranks.
  std::vector<float> boundaries(std::int64_t count) const;
  std::vector<float> quantiles(std::int64_t count) const;

 private:
  std::vector<QuantileEntry> entries_;
};

// The sketch of a stream of unknown length: summaries of 1, 2, 4, ... blocks, after Greenwald and
// Khanna's and Zhang and Wang's algorithms for quantiles of streams.
class QuantileSketch {
 public:
  // `error` is in [0, 1), `max_elements` positive, else InvalidArgument.
  QuantileSketch(float error, std::int64_t max_elements);

  void add(float value, float weight);  // weights that are not above 0 do not count
  void add(QuantileSummary summary);
  // All of it as one summary; the sketch starts anew.
  QuantileSummary finish();

 private:
  void flush_buffer();

  double error_;
  std::int64_t block_size_, buffer_size_;
  std::vector<std::pair<float, float>> buffer_;
  std::vector<QuantileSummary> levels_;
};

}  // namespace rill
