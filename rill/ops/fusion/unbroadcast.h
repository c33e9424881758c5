#pragma once

#include "rill/passes/rewrite.h"

namespace rill {

// The gradient of an operand that may have been broadcast: Reshape(Sum(dy, axes), shape), with axes
// from BroadcastGradientArgs, becomes one node that does nothing where nothing was repeated; sums
// over no axes become what they sum.
extern const Rewrite kUnbroadcastRewrite;

}  // namespace rill
