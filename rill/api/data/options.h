#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rill/graph/graph.h"

namespace rill::data {

struct MapVectorizationOptions {
  std::optional<bool> enabled = {}, use_choose_fastest = {};
};

// What is done to a pipeline before it runs; nothing said means TensorFlow's choice: fusion of map
// and batch, of shuffle and repeat, and removal of stages that do nothing are on, others off. None
// changes the elements.
struct OptimizationOptions {
  std::optional<bool> apply_default_optimizations, autotune, autotune_buffers, filter_fusion,
      filter_with_random_uniform_fusion, hoist_random_uniform, map_and_batch_fusion,
      map_and_filter_fusion, map_fusion, map_parallelization, noop_elimination, parallel_batch,
      shuffle_and_repeat_fusion;
  std::optional<std::int64_t> autotune_algorithm = {}, autotune_cpu_budget = {};
  MapVectorizationOptions map_vectorization = {};
};

// None: the session's threads.
struct ThreadingOptions {
  std::optional<std::int64_t> max_intra_op_parallelism = {}, private_threadpool_size = {};
};

struct StatsOptions {
  std::optional<Output> aggregator = {};  // the resource of a StatsAggregator
  std::string prefix = {}, counter_prefix = {};
  bool latency_all_edges = false;
};

// deterministic false lets parallel stages hand out whatever is ready first. slack delays
// prefetching a little, so that it does not compete with the start of a step.
struct Options {
  std::optional<bool> deterministic = {}, slack = {};
  OptimizationOptions optimization = {};
  ThreadingOptions threading = {};
  StatsOptions stats = {};

  // These, with what `other` says on top. Statistics go over as a whole where it has an aggregator.
  Options merged(const Options& other) const;
  // The names of the rewrites that are asked for, and how they are set up.
  std::vector<std::string> rewrites() const;
  std::vector<std::string> rewrite_configs() const;
};

}  // namespace rill::data
