#pragma once

#include "rill/passes/rewrite.h"

namespace rill {

// Horizontal fusion of optimizer updates: updates of small variables by the same op with the same
// hyperparameters that do not depend on each other become one node. Large variables keep a node of
// their own, so that each gradient is freed as soon as it was applied.
extern const Rewrite kFusedUpdatesRewrite;

}  // namespace rill
