#pragma once

#include "rill/passes/rewrite.h"

namespace rill {

// Element-wise ops on floats that read each other's results become one node, which computes a block
// of all of them at a time: what is between them stays in the cache.
extern const Rewrite kElementwiseChainsRewrite;

}  // namespace rill
