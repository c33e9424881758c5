#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/patches.h"

namespace rill {

// The sums of (image - image_zero) * (filter - filter_zero) over each window of bytes, as 32 bits
// that wrap around; what lies outside the image is image_zero. In the processor's tiles, or through
// oneDNN where it is exact: false, and nothing is written, where neither can.
bool convolve_bytes(const KernelCall& call, const ConvProblem& problem, const std::uint8_t* images,
                    std::int32_t image_zero, const std::uint8_t* filter, std::int32_t filter_zero,
                    std::uint32_t* results);

}  // namespace rill
