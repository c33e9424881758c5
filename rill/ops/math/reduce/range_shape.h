#pragma once

#include <cstdint>

#include "rill/tensor/tensor.h"

namespace rill {

// How many numbers Range gives; throws InvalidArgument when delta is zero or leads away from limit.
// The three are scalars of one type: int32, int64, float, double, half or bfloat16.
std::int64_t range_size(const Tensor& start, const Tensor& limit, const Tensor& delta);

}  // namespace rill
