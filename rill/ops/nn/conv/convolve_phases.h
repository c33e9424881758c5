#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// Whether the gradient of images of a strided convolution is worth computing as several dense
// ones: pixels whose places have the same remainder modulo the strides see the same taps, and those
// pixels alone are the images of a convolution without strides.
bool has_phases(const ConvProblem& problem);

// That gradient. Returns nullptr, or why oneDNN is not taken; `images` are then not all written.
const char* convolve_phases(const KernelCall& call, const ConvProblem& problem, float* images,
                            const float* filter, float* results);

}  // namespace rill
