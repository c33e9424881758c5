#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/queue/element_store.h"

namespace rill {

// Inputs `first` and following as an element that is kept beyond the step.
Tuple tuple_of_inputs(const KernelCall& call, int first);
// The same, cut into rows along the first dimension, which all have. The rows are copies, so that
// one of them does not keep the others.
std::vector<Tuple> rows_of_inputs(const KernelCall& call, int first);

Tensor row_of(const Tensor& rows, std::int64_t i);  // a copy

// Component `c` of every tuple, joined along a new first dimension. Where `pads`, the unknown
// dimensions of `shape` become as long as the longest needs, and the rest is zeros.
Tensor joined_component(std::span<const Tuple> tuples, std::size_t c, DType type,
                        const PartialShape& shape, bool pads);

}  // namespace rill
