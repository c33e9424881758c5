#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// Convolutions that keep channels apart, on dense arrays of T (float or double), channels last: out
// channels are several for each in channel, filters are [window, out]. Results do not depend on the
// number of threads. What is written has at least one element.
template <class T>
void convolve_apart(const KernelCall& call, const ConvProblem& problem, const T* images,
                    const T* filter, T* results, const RangeDone& done = nullptr);
// The gradients with respect to images and filter, given that of the results.
template <class T>
void apart_back_to_images(const KernelCall& call, const ConvProblem& problem, const T* filter,
                          const T* gradient, T* images);
template <class T>
void apart_back_to_filter(const KernelCall& call, const ConvProblem& problem, const T* images,
                          const T* gradient, T* filter);

}  // namespace rill
