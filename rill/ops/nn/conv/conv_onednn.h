#pragma once

#include <mutex>

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/patches.h"
#include "rill/ops/onednn/conv.h"

namespace rill {

// A filter in the orders that compiled convolutions want, each made when it is first wanted. Safe
// to use from several threads at once.
class PackedFilters {
 public:
  // What pack() gives, or gave for a convolution that wants the same order.
  Tensor find(const std::shared_ptr<const CompiledConv>& conv, FunctionRef<Tensor()> pack);

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::shared_ptr<const CompiledConv>, Tensor>> packed_;
};

// The convolution that gives the gradient of images: of the results' gradient, with the filter
// turned round, which runs at the speed of the forward pass. For strides of one.
ConvProblem turned_round(const ConvProblem& problem);

// The convolutions of conv_loops.h through oneDNN: images, or bands of their rows, are computed on
// one thread each. `images`, `filter` and `results` (or their gradients) are read or written as
// the work says. Returns nullptr when that is done, else why oneDNN is not taken and nothing was
// written. `done` is told of results (forward) or of images (without strides: their gradient);
// forward only: `kept` caches pre-packed forms of the filter.
const char* conv_onednn(const KernelCall& call, ConvWork work, const ConvProblem& problem,
                        float* images, float* filter, float* results,
                        const RangeDone& done = nullptr, PackedFilters* kept = nullptr);

}  // namespace rill
