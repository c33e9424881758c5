#pragma once

#include "rill/graph/node.h"
#include "rill/tensor/tensor.h"

namespace rill::keras {

// `value` as the placeholder `target` takes it: numbers and truth values of another type are cast,
// as they are where NumPy's arrays are fed. What cannot be cast stays, and the run refuses it.
Tensor fed_value(const Output& target, const Tensor& value);

}  // namespace rill::keras
