#pragma once

#include <mutex>
#include <optional>

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"

namespace rill {

// Whether a convolution goes faster Winograd's way (winograd_rows.h): filters of three, five or
// seven taps a side, steps of one, many channels, and, as filters are larger when turned, many
// results, fewer if the turned filter is kept.
bool suits_winograd(const ConvProblem& problem, bool is_prepacked);

// The filter [window, in, out] turned for `problem`. The one of a gradient with respect to images
// is read from [window, out, in] with its taps in the opposite order.
Tensor winograd_filter(const KernelCall& call, const ConvProblem& problem, const float* filter);
Tensor winograd_gradient_filter(const KernelCall& call, const ConvProblem& problem,
                                const float* filter);

// A turned filter, made when it is first wanted. Safe to use from several threads at once.
class PrepackedWinogradFilter {
 public:
  const Tensor& find(FunctionRef<Tensor()> turn) {
    const std::lock_guard lock(mutex_);
    if (!turned_) turned_ = turn();
    return *turned_;
  }

 private:
  std::mutex mutex_;
  std::optional<Tensor> turned_;
};

// Such a convolution of floats, channels last. `done` is told of results.
void conv_winograd(const KernelCall& call, const ConvProblem& problem, const float* images,
                   const Tensor& turned_filter, float* results, const RangeDone& done = nullptr);

// The gradient with respect to the filter [window, in, out], given that of the results.
void winograd_to_filter(const KernelCall& call, const ConvProblem& problem, const float* images,
                        const float* gradient, float* filter);

}  // namespace rill
