#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// Whether the input gradient of a strided convolution is worth computing by polyphase
// decomposition: pixels whose positions have the same remainder modulo the strides (a phase) see
// the same taps, and the pixels of one phase are the result of a convolution without strides.
bool is_polyphase(const ConvProblem& problem);

// That gradient. Returns nullptr, or why oneDNN is not taken; `images` are then not all written.
const char* conv_polyphase(const KernelCall& call, const ConvProblem& problem, float* images,
                           const float* filter, float* results);

}  // namespace rill
