#pragma once

#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/stage_clock.h"
#include "rill/ops/data/core/stats_aggregator.h"

namespace rill {

// What a stage reports of itself where someone gathers, under TensorFlow's names: those of the tag
// and of the stage's node in the graph that DatasetToGraph would write.
class StageStats {
 public:
  // `function` is the one whose calls are timed, if there is one, `width` how many threads make
  // them.
  StageStats(const Dataset& dataset, const Pipeline& pipeline, const std::string& function = {},
             int width = 1);

  explicit operator bool() const { return stats_ != nullptr; }
  // Only where someone gathers. `step` is the number of the element.
  void scalar(const char* what, double value, std::int64_t step) const;
  void histogram(const char* what, double value, std::int64_t step) const;

  // Stands around a call of the function and reports how long it took. It is work of the stage on
  // threads that make nothing but such calls, too.
  class Call {
   public:
    explicit Call(const StageStats& stats);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    const StageStats& stats_;
    const std::int64_t begin_nanos_;
    const StageClock::Help help_;
  };

  // The same of work that is no call of a function, and is not reported.
  class Work {
   public:
    explicit Work(const StageStats& stats) : help_(*stats.dataset_, stats.width_) {}

   private:
    const StageClock::Help help_;
  };

 private:
  const DatasetRef dataset_;
  const int width_;
  const std::shared_ptr<StatsAggregator> stats_;
  std::string stage_, calls_;
};

}  // namespace rill
