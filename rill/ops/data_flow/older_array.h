#pragma once

#include <string>

#include "rill/graph/grad_ctx.h"

namespace rill {

// Which call of gradients() a gradient belongs to, each of which has its own arrays: the part of
// the node's name that ends in "gradients". Throws InvalidArgument when there is none.
std::string gradient_source(Output gradient);

// The gradients of the ops of arrays whose handles are strings, in ops of the same age.
void older_read_grad(GradCtx& g);
void older_gather_grad(GradCtx& g);
void older_concat_grad(GradCtx& g);
void older_write_grad(GradCtx& g);
void older_scatter_grad(GradCtx& g);
void older_split_grad(GradCtx& g);

}  // namespace rill
