#pragma once

#include "rill/api/estimator/core/estimator.h"
#include "rill/api/replicas/strategy.h"

namespace rill::estimator {

struct ReplicatedModel {
  EstimatorSpec spec = {};          // of all replicas together
  std::vector<HookRef> hooks = {};  // that begin the input
};

// The model of each replica of `strategy`, in whose scope the program stands, with batches of the
// input function's dataset in turn. The loss is the mean of the replicas'. Throws InvalidArgument
// where the input is no dataset.
ReplicatedModel build_replicas(const distribute::StrategyRef& strategy, const InputFn& input_fn,
                               const RunConfig& config,
                               const std::function<EstimatorSpec(const InputBatch&)>& model);

}  // namespace rill::estimator
