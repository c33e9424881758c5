#pragma once

#include <cstddef>

namespace rill::inspect {

// The loops that peaks.h measures, for the best instruction set of the machine.

// Does fused multiplications and additions in registers; returns how many flops they were.
// `keep` gets something that depends on all of them.
double float_fmas(std::size_t rounds, float* keep);
double double_fmas(std::size_t rounds, double* keep);

void add_arrays(const float* a, const float* b, float* sum, std::size_t count);

}  // namespace rill::inspect
