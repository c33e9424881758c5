#pragma once

#include "rill/graph/scope.h"

namespace rill {

// What the functions that make random tensors are made of.

// The tensor of an argument, which must have `dtype`; a value becomes a constant called `name`.
Output typed_argument(Scope& scope, const Input& argument, std::string_view name, DType dtype);
// A shape as a vector of int32 or int64.
Output shape_argument(Scope& scope, const Input& shape);

// low + unit * (high - low) and mean + unit * deviation, the sum under the scope's own name.
Output stretch_to(Scope& scope, Output unit, Output low, Output high);
Output scale_and_shift(Scope& scope, Output unit, Output deviation, Output mean);

// Throws InvalidArgument unless random_uniform has values of `dtype`, with its bound if integers.
void check_uniform(DType dtype, bool has_maximum);

}  // namespace rill
