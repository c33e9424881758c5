#pragma once

#include <memory>

#include "rill/graph/held_functions.h"
#include "rill/kernel/background_calls.h"
#include "rill/ops/data/core/dataset.h"

namespace rill {

class StatsAggregator;

// How many threads are right where nothing else is said: one per CPU.
int default_threads();

// What datasets set for the stages before them.
struct PipelineSettings {
  int threads = 0;  // how many calls at a time are right where the user leaves it open; 0: default
  int threads_per_call = 0;                // at most, for the ops inside; 0: no limit
  std::shared_ptr<StatsAggregator> stats;  // where stages report to; may be null
  std::string stats_tag;                   // begins the names of what is reported
};

// What the iterators of one walk through a dataset share. It goes on between steps until stop().
class Pipeline {
 public:
  explicit Pipeline(std::shared_ptr<BackgroundCalls> calls, PipelineSettings settings = {})
      : calls_(std::move(calls)), settings_(std::move(settings)) {}

  // The same walk with other settings, for the stages before one.
  PipelineRef with(PipelineSettings settings) const {
    return std::make_shared<Pipeline>(calls_, std::move(settings));
  }
  const PipelineSettings& settings() const { return settings_; }
  int threads() const;

  BackgroundCalls& calls() const { return *calls_; }
  const std::shared_ptr<BackgroundCalls>& shared_calls() const { return calls_; }
  Cancellation& cancellation() const { return calls_->cancellation(); }
  bool cancelled() const { return cancellation().cancelled(); }
  void check_running() const;  // throws Cancelled after stop() or when the session is closed
  void stop() { calls_->cancel(); }

 private:
  const std::shared_ptr<BackgroundCalls> calls_;
  const PipelineSettings settings_;
};

// A function that a dataset applies, with the values that it captured.
struct FunctionSource {
  FuncName function;
  Element captured;
  FunctionHold hold = {};  // where it does not stay with its library
};

// The same, ready to be called in a pipeline, from several threads at once.
class DataFunction {
 public:
  DataFunction(BackgroundCalls& calls, const FunctionSource& source, int threads = 0);
  DataFunction(const Pipeline& pipeline, const FunctionSource& source)
      : DataFunction(pipeline.calls(), source, pipeline.settings().threads_per_call) {}
  // Takes the arguments' values away.
  void operator()(Element& arguments, Element& results) const;
  Element operator()(Element arguments) const;

  const std::vector<DType>& result_types() const { return function_->result_types(); }
  // Whether a call may have to wait for something other than the CPU.
  bool may_block() const { return function_->may_block(); }

 private:
  const std::shared_ptr<BackgroundFunction> function_;
  const Element captured_;
  const int threads_;
};

// Calls a function that may end the sequence by raising OutOfRange: false then. Where the dataset
// promises as many elements as its input has, that is an error.
bool call_or_end(const DataFunction& function, Element& arguments, Element& results,
                 bool keeps_size);

}  // namespace rill
