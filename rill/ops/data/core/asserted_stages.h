#pragma once

#include "rill/ops/data/core/dataset.h"

namespace rill {

// Throws InvalidArgument when there is an AssertNextDataset on the way to `root` and the stages
// that follow it are not those it names. Stages are named as their ops, without "Dataset".
void check_asserted_stages(const DatasetRef& root);

}  // namespace rill
