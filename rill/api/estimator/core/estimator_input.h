#pragma once

#include "rill/api/estimator/core/estimator.h"

namespace rill::estimator {

// What an input function made in the default graph.
struct ModelInput {
  InputBatch batch = {};
  Node* iterator_initializer = nullptr;  // of a dataset; to be run in every new session
  std::vector<HookRef> hooks() const;    // those that do so
};

// Calls the input function, on the CPU. A dataset gets an iterator, whose initializer the hooks
// run.
ModelInput make_input(const InputFn& input_fn, Mode mode, const RunConfig& config);

// Warns of inputs that never end.
void warn_of_endless_input(const InputBatch& batch);

}  // namespace rill::estimator
