#pragma once

#include <string>
#include <vector>

#include "rill/api/variables/variable.h"

namespace rill::estimator {

// What is shown of a layer: how many of its values are zero, and how they are distributed.
void summarize_layer(Output value, const std::string& tag);
// The bias of a linear model, and which share of its weights is zero.
void summarize_linear(std::int64_t units, const std::vector<Variable>& bias,
                      const std::vector<Variable>& weights);

}  // namespace rill::estimator
