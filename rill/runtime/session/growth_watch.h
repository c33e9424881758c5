#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "rill/graph/graph.h"

namespace rill {

// Notices a graph that grows between the runs of a session: a program that makes nodes in its
// training loop gets slower and larger without end. At the 100th run that found new nodes a warning
// names the line that adds them, and again whenever the count has grown tenfold.
class GrowthWatch {
 public:
  explicit GrowthWatch(const Graph& graph) : graph_(graph) {}

  // To be called before each run; a comparison when nothing was added.
  void before_run() {
    const int count = graph_.node_count();
    if (count != seen_.load(std::memory_order_relaxed)) [[unlikely]]
      note_growth(count);
  }
  std::int64_t extensions() const { return extensions_; }

 private:
  static constexpr std::int64_t kFirstWarning = 100;
  void note_growth(int count);

  const Graph& graph_;
  std::atomic<int> seen_{-1};  // node count of the last run; -1 before the first
  std::atomic<std::int64_t> extensions_{0};
  std::atomic<std::int64_t> next_warning_{kFirstWarning};
};

}  // namespace rill
