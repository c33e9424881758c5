#pragma once

#include "rill/graph/grad_ctx.h"

namespace rill {

// The gradient of a node that calls a function directly: a SymbolicGradient of that function, which
// is derived when it runs, or what the library names as the function's gradient.
void call_gradient(GradCtx& g);

// Adds SymbolicGradient(inputs, dys; f) and sends what comes out to the inputs of the node.
void symbolic_gradient(GradCtx& g, const FuncName& function, int first_input = 0);

// The gradient at an output; zeros where nothing arrives, integers included.
Output dy_or_zeros(GradCtx& g, int output);

// The type of the gradient of a tensor: of a resource handle, that of the variable behind it.
DType gradient_type(Output x);

}  // namespace rill
