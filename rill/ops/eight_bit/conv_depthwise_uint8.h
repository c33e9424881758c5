#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// The sums of image * filter over each window, for each channel apart: `Image` bytes, signed or
// not, a filter [rows, columns, channels, multiplier] of signed ones, in 32 bits that wrap around.
template <class Image>
void conv_depthwise_uint8(const KernelCall& call, const ConvProblem& problem, const Image* images,
                          const std::int8_t* filter, std::uint32_t* results);

extern template void conv_depthwise_uint8(const KernelCall&, const ConvProblem&,
                                          const std::uint8_t*, const std::int8_t*, std::uint32_t*);
extern template void conv_depthwise_uint8(const KernelCall&, const ConvProblem&, const std::int8_t*,
                                          const std::int8_t*, std::uint32_t*);

}  // namespace rill
