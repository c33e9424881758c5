#pragma once

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/data/core/data_iterator.h"

namespace rill {

// Runs `body` in the background with a pipeline that is stopped when the step is cancelled or
// `body` has ended; then ends the call. For kernels that walk through datasets within one step.
void run_with_pipeline(KernelCall& call, Done done,
                       std::function<void(KernelCall&, const PipelineRef&)> body);

}  // namespace rill
