#pragma once

#include "rill/kernel/kernel_call.h"

namespace rill {

// Copies between the orders [batch, channels, space] and [batch, space, channels].
void turn_channels(const KernelCall& call, const Tensor& from, const Tensor& to, bool to_last);

// The shape of images whose channels are in front, with them behind.
Shape channels_last(const Shape& shape);

}  // namespace rill
