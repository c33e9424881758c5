#pragma once

#include "rill/graph/grad_ctx.h"

namespace rill {

// The gradient of a loop that keeps what each iteration has computed: the node is replaced by one
// that appends that to lists, which a second loop takes apart from the end.
void kept_loop_gradient(GradCtx& g);

}  // namespace rill
