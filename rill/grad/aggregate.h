#pragma once

#include "rill/grad/gradient_registry.h"
#include "rill/grad/gradients.h"

namespace rill {

// The sum of what arrived at one output of `node`; empty when nothing did.
Gradient aggregate(Scope& scope, const std::vector<Gradient>& parts, Aggregation method,
                   const Node& node);

// Makes every gradient wait for all of them, as tf.tuple does.
void gate_together(Scope& scope, std::vector<Gradient>& gradients);

// The gradient function of a node: its _gradient_op_type's, else its op's; of each the program's
// before our own. Empty when there is none on purpose. Throws NotFound.
GradientFunction gradient_of(const Node& node);

}  // namespace rill
