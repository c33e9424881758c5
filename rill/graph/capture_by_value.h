#pragma once

#include "rill/graph/function_define.h"

namespace rill {

// From now on a tensor of another graph that the body reads is computed inside it: the nodes that
// make it are copied, and the function gets no further arguments. A new node that reads what
// depends on a placeholder or a stateful node throws InvalidArgument, since a copy would be another
// thing.
void capture_by_value(FunctionBuilder& builder);

}  // namespace rill
