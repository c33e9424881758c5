#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rill/kernel/kernel_call.h"

namespace rill {

using LabelSequence = std::vector<std::int64_t>;

// Throws unless input 0 is [frames, batch, classes], none of them 0, and input 1 has for each
// sequence of the batch no more frames than there are.
void check_frames(const KernelCall& call);

// Sets an indices, a values and a shape output to a sparse matrix with a row for each sequence.
void output_sequences(const KernelCall& call, std::span<const LabelSequence> sequences, int indices,
                      int values, int shape);

}  // namespace rill
