#pragma once

#include <string>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill {

enum class MergeOp { kAdd, kMul, kMin, kMax };
MergeOp merge_op(const std::string& name);  // "Add", ...; throws InvalidArgument for others

// The values merged in this order, element by element, then divided by `divisor`. All have the
// same type and number of elements, which is checked.
Tensor merged(MergeOp op, const std::vector<Tensor>& values, int divisor);

}  // namespace rill
