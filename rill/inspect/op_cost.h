#pragma once

#include "rill/graph/kernel_work.h"
#include "rill/inspect/peaks.h"

namespace rill::inspect {

// What a kernel has to do at least: the floating-point operations of the usual algorithm, as the
// op's declaration states them, and the bytes of what it reads and writes.
struct OpCost {
  double flops = 0, bytes = 0;
  bool is_known = false;  // flops are: an op that is not known has bytes alone
};
OpCost op_cost(const KernelWork& work);

// The least seconds that such work takes on such a machine, and what limits it.
struct Roofline {
  double seconds = 0;
  bool by_memory = true;
};
Roofline roofline(const OpCost& cost, DType dtype, const Peaks& peaks);

}  // namespace rill::inspect
