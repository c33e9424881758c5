#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tensorflow {
class StepStats;
}

namespace rill::inspect {

// A number that came several times.
class Sample {
 public:
  void add(std::int64_t value);
  std::int64_t count() const { return count_; }
  std::int64_t first() const { return first_; }
  std::int64_t latest() const { return latest_; }
  std::int64_t sum() const { return sum_; }
  double mean() const;
  std::string text() const;  // "count=3 first=2 curr=5 min=2 max=5 avg=3.3 std=1"

 private:
  std::int64_t count_ = 0, first_ = 0, latest_ = 0, min_ = 0, max_ = 0, sum_ = 0;
  double squares_ = 0;
};

// Which parts of its text are wanted, and how many rows the lists of the dearest have.
struct StatSummaryOptions {
  bool show_run_order = true, show_time = true, show_memory = true, show_type = true;
  bool show_summary = true;
  int run_order_limit = 0, time_limit = 10, memory_limit = 10;  // rows; 0: all
};

// What traced steps took, node by node, in the tables of TensorFlow's StatSummarizer, which
// benchmark_model prints.
class StatSummary {
 public:
  explicit StatSummary(StatSummaryOptions options = {}) : options_(options) {}

  void add(const tensorflow::StepStats& step);
  std::string text() const;
  std::string by_type() const;   // a part of it, as what follows
  std::string in_short() const;  // times, memory, how many nodes

 private:
  struct NodeDetail {
    std::string name, op;
    std::int64_t order = 0, calls = 0;
    Sample start_micros, micros, bytes;
  };
  std::string table(const std::string& title, std::int64_t (*key)(const NodeDetail&),
                    int limit) const;
  std::string row(const NodeDetail& node, std::int64_t micros_so_far) const;

  const StatSummaryOptions options_;
  std::map<std::string, NodeDetail> nodes_;
  Sample total_micros_, total_bytes_;
};

}  // namespace rill::inspect
