#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// The sums of (image - image_zero) * (filter - filter_zero) over each window of bytes, as 32 bits
// that wrap around; what lies outside the image is image_zero. In the processor's tiles, through
// oneDNN where it is exact, or by plain loops.
void conv_uint8(const KernelCall& call, const ConvProblem& problem, const std::uint8_t* images,
                std::int32_t image_zero, const std::uint8_t* filter, std::int32_t filter_zero,
                std::uint32_t* results);

// The same by loops that every processor has.
void conv_uint8_plain(const KernelCall& call, const ConvProblem& problem,
                      const std::uint8_t* images, std::int32_t image_zero,
                      const std::uint8_t* filter, std::int32_t filter_zero, std::uint32_t* results);

}  // namespace rill
