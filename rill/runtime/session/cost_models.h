#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>

#include "rill/runtime/step/step_stats.h"

namespace rill {

class Plan;

// What TensorFlow calls the cost model of a session: how long each node took at most in the steps
// that were measured. Safe from several threads.
class CostModels {
 public:
  // Every so many steps of a signature, after its first ones; `every` 0: none.
  CostModels(std::int64_t every, std::int64_t after) : every_(every), after_(after) {}

  // Counts a step of this plan that begins now; whether it is one to measure.
  bool begin_step(const Plan& plan);
  // Takes the step into account, and tells the costs of its nodes: a serialised CostGraphDef.
  // `graphs` are GraphDefs, what each device ran.
  std::string cost_graph(std::span<const std::string> graphs, const StepStats& stats);

 private:
  const std::int64_t every_, after_;
  std::mutex mutex_;
  std::unordered_map<const Plan*, std::int64_t> steps_;
  std::unordered_map<std::string, std::int64_t> most_micros_;  // by the name of the node
};

}  // namespace rill
