#pragma once

#include "rill/passes/rewrite.h"

namespace rill {

// Loop fusion: element-wise ops on floats that read each other's results become one node. It
// computes block by block, so that intermediate values stay in the cache.
extern const Rewrite kElementwiseChainsRewrite;

}  // namespace rill
