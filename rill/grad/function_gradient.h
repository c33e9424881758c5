#pragma once

#include "rill/graph/function_body.h"

namespace rill {

// The gradient of a function: takes its arguments and the gradients of its results, gives the
// gradients of its arguments, zeros where nothing depends on one; that of a resource handle is the
// gradient of the variable behind it. Runs the function's own nodes as far as they are needed, and
// its effects. Throws as gradients() does.
FunctionBody gradient_body(FunctionBody function);

}  // namespace rill
