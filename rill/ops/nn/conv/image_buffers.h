#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/nn/window/window.h"

namespace rill {

// Images and filters as convolutions compute with them: half and bfloat16 as float, channels last.

// The same elements in the type that is computed with.
Tensor widened_tensor(const KernelCall& call, const Tensor& x);
// The same with the channels last.
Tensor prepared_images(const KernelCall& call, const Tensor& x, const ImageLayout& layout);

// Where a result is computed before it goes to `out`: `out` itself if that will do.
Tensor result_buffer(const KernelCall& call, const Tensor& out, bool turns_channels);
void finish_result(const KernelCall& call, const Tensor& computed, const Tensor& out,
                   bool turns_channels);

}  // namespace rill
