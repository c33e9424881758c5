#pragma once

#include "rill/kernel/kernel_call.h"

namespace rill {

// How params of `params` and indices of `indices` are gathered. Throws InvalidArgument when the
// shapes do not fit; `axis` and `batch_dims` may be negative.
struct GatherPlan {
  GatherPlan(const Shape& params, const Shape& indices, std::int64_t axis, std::int64_t batch_dims);

  std::int64_t batch = 1, outer = 1, limit = 1,
               inner = 1;  // params are [batch, outer, limit, inner]
  Shape output;
};

// Copies the slices of `params` that `indices` name into `output`. Throws InvalidArgument
// ("indices[1] = 7 is not in [0, 5)") when one names none.
void gather(const KernelCall& call, const GatherPlan& plan, const Tensor& params,
            const Tensor& indices, const Tensor& output);

// The same where the last dimension of `indices` names an element or slice at several dimensions.
Shape gather_nd_shape(const Shape& params, const Shape& indices);
void gather_nd(const KernelCall& call, const Tensor& params, const Tensor& indices,
               const Tensor& output);

// "[1,0]": element `position` of a tensor of shape `shape`; empty for a scalar.
std::string index_text(const Shape& shape, std::int64_t position);

// Throws InvalidArgument naming the first of `indices` that is not in [0, limit).
void check_indices(const Tensor& indices, std::int64_t limit);

}  // namespace rill
