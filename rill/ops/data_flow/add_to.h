#pragma once

#include "rill/tensor/tensor.h"

namespace rill {

// Throws InvalidArgument, naming `what`, for types that have no sum.
void check_addable(DType dtype, const char* what);

// Adds `value` to `sum`, which has the same type and shape; in place if nobody else sees `sum`.
void add_to(Tensor& sum, const Tensor& value);

}  // namespace rill
