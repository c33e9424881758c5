#pragma once

#include "rill/passes/rewrite.h"

namespace rill {

// Removes control edges between nodes without side effects. Optimizers add such edges between
// gradients (`gate_gradients`) so that no update runs before the last read of the variable; the
// order of reads and updates can be kept without making the gradients wait for each other. Where an
// edge does order side effects and the node is in a loop, the edge moves from the node to its
// nearest successors with side effects (`side_effect_frontier.h`).
extern const Rewrite kRelaxControlEdgesRewrite;

}  // namespace rill
