#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill {

// For each dimension of an input of this rank, whether it is reduced. Negative axes count from the
// end. Throws InvalidArgument for an axis that is out of range or given twice.
std::vector<bool> reduced_dims(std::span<const std::int64_t> axes, int rank);
// The same from an int32 or int64 tensor.
std::vector<bool> reduced_dims(const Tensor& axes, int rank);

}  // namespace rill
