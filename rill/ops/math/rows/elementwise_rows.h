#pragma once

#include "rill/ops/math/rows/elementwise.h"

namespace rill {

// The rows inside the state of a run_unary or run_binary kernel, for kernels that run several ops
// on a block at a time; null when elements are converted or checked on the way.
const UnaryRows* rows_of_unary(const KernelState& state);
const BinaryRows* rows_of_binary(const KernelState& state);

}  // namespace rill
