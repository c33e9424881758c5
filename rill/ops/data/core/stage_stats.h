#pragma once

#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/stats_aggregator.h"

namespace rill {

// What a stage reports of itself where someone gathers, under TensorFlow's names: those of the tag
// and of the stage's node in the graph that DatasetToGraph would write.
class StageStats {
 public:
  // `function` is the one whose calls are timed, if there is one.
  StageStats(const Dataset& dataset, const Pipeline& pipeline, const std::string& function = {});

  explicit operator bool() const { return stats_ != nullptr; }
  // Only where someone gathers. `step` is the number of the element.
  void scalar(const char* what, double value, std::int64_t step) const;
  void histogram(const char* what, double value, std::int64_t step) const;

  // Stands around a call of the function and reports how long it took.
  class Call {
   public:
    explicit Call(const StageStats& stats);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    const StageStats& stats_;
    const std::int64_t begin_nanos_;
  };

 private:
  const std::shared_ptr<StatsAggregator> stats_;
  std::string stage_, calls_;
};

}  // namespace rill
