#pragma once

#include "rill/graph/grad_ctx.h"

namespace rill {

// Throws Unimplemented where the size of the matrices is not known, or where full matrices leave
// more than one vector without a singular value.
void svd_grad(GradCtx& g);

}  // namespace rill
