#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// Depthwise convolutions on dense arrays of T (float or double), channels last: each input channel
// has output channels of its own, filters are [window, out]. Results do not depend on the
// number of threads. What is written has at least one element.
template <class T>
void conv_depthwise(const KernelCall& call, const ConvProblem& problem, const T* images,
                    const T* filter, T* results, const RangeDone& done = nullptr);
// The gradients with respect to images and filter, given that of the results.
template <class T>
void conv_depthwise_backprop_input(const KernelCall& call, const ConvProblem& problem,
                                   const T* filter, const T* gradient, T* images);
template <class T>
void conv_depthwise_backprop_filter(const KernelCall& call, const ConvProblem& problem,
                                    const T* images, const T* gradient, T* filter);

}  // namespace rill
