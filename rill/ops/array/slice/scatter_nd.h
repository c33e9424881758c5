#pragma once

#include "rill/ops/update/element_update.h"

namespace rill {

// Changes the slices of `target` that the rows of `indices` name, in their order; nothing when a
// row names none, which throws InvalidArgument.
void scatter_nd(const KernelCall& call, UpdateKind kind, const Tensor& indices,
                const Tensor& updates, const Tensor& target);

}  // namespace rill
