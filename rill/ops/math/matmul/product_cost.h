#pragma once

#include "rill/graph/kernel_work.h"

namespace rill {

// Every element of a product is a sum over the inner dimension.
inline double product_flops(const KernelWork& work) {
  const bool transposed = work.flag("transpose_a") || work.flag("adj_x");
  return 2 * work.output_elements() * last_dim(work.input(0).shape, transposed ? 1 : 0);
}

}  // namespace rill
