#pragma once

#include "rill/graph/grad_ctx.h"

namespace rill {

// The gradients of the ops of arrays whose handles are resources: an array has another one beside
// it for the gradients of its elements.
void array_read_grad(GradCtx& g);
void array_gather_grad(GradCtx& g);
void array_concat_grad(GradCtx& g);
void array_write_grad(GradCtx& g);
void array_scatter_grad(GradCtx& g);
void array_split_grad(GradCtx& g);

}  // namespace rill
