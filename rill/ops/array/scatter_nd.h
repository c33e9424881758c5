#pragma once

#include "rill/graph/shape_ctx.h"
#include "rill/ops/state/element_update.h"

namespace rill {

// Throws InvalidArgument unless `updates` can go to the places in `target` that the rows of
// `indices` name, as far as the shapes are known.
void check_scatter_nd(const PartialShape& indices, const PartialShape& updates,
                      const PartialShape& target);

// Changes the slices of `target` that the rows of `indices` name, in their order; nothing when a
// row names none, which throws InvalidArgument.
void scatter_nd(const KernelCall& call, UpdateKind kind, const Tensor& indices,
                const Tensor& updates, const Tensor& target);

}  // namespace rill
