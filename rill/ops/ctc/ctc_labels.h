#pragma once

#include <cstdint>
#include <vector>

#include "rill/kernel/kernel_call.h"

namespace rill {

// The labels of each sequence of a batch, as CTCLoss takes them from its inputs 1 and 2: without
// blanks at the end and, if `collapse_repeated`, without repetitions. Throws InvalidArgument where
// indices or labels do not fit.
struct CtcLabels {
  std::vector<std::int32_t> labels;
  std::int64_t given_count;  // with blanks and repetitions
};
std::vector<CtcLabels> read_ctc_labels(const KernelCall& call, std::int64_t batch_size,
                                       std::int64_t class_count, bool collapse_repeated);

}  // namespace rill
