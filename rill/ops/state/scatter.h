#pragma once

#include "rill/ops/update/element_update.h"

namespace rill {

// Updates the slices of `variable` along its first dimension that `indices` name, in their order.
// Throws InvalidArgument, before anything has changed, when an index names no slice.
void scatter(const KernelCall& call, UpdateKind kind, VariableResource& variable,
             const Tensor& indices, const Tensor& updates);

}  // namespace rill
