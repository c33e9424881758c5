#pragma once

#include "rill/passes/rewrite.h"

namespace rill {

// Steps of one optimizer on small variables, which do not wait for each other, become one node. A
// large variable keeps its own: its gradient is freed as soon as it was used.
extern const Rewrite kUpdatesTogether;

}  // namespace rill
