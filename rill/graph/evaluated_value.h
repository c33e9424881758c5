#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rill/graph/graph.h"

namespace rill {

// Runs one pure node on known inputs; nothing when it cannot.
using EvaluateFn = std::optional<std::vector<Tensor>> (*)(const Node& node,
                                                          std::span<const Tensor> inputs);

// The layer that has kernels sets it, for the process. Until then nothing is evaluated.
void set_evaluate(EvaluateFn evaluate);

// The value of an output that depends on constants and known shapes alone, through whatever pure
// ops; nullptr for others and for what is large. Shape functions see it; programs do not, whose
// graphs would depend on it. Computed when it is first asked for and kept with the graph, whose
// mutex the caller holds.
const Tensor* evaluated_value(Output output);
// The same of a tensor that is used as a shape, of which parts may be known: else as
// constant_shape_value.
PartialShape evaluated_shape_value(Output output);

// `node` has changed; nodes were taken away.
void forget_evaluated(const Node& node);
void forget_all_evaluated(Graph& graph);

}  // namespace rill
