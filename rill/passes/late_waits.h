#pragma once

#include "rill/passes/rewrite.h"

namespace rill {

// Gradients wait for each other because optimizers ask them to (`gate_gradients`): so that no
// update comes before what still needs the variable. Nodes without effects need not wait for other
// such nodes; whoever acts on what they make waits instead.
extern const Rewrite kLateWaits;

}  // namespace rill
