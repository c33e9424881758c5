#include "rill/ops/data/stage/pass_through_dataset.h"

#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kModelDataset, kOptimizeDataset;

namespace {

std::shared_ptr<Dataset> pass_through(KernelCall& call) {
  return std::make_shared<PassThroughDataset>(stated_spec(call.node()), dataset_input(call, 0));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<pass_through>(kModelDataset),
    dataset_kernel<pass_through>(kOptimizeDataset),
};

}  // namespace

extern const KernelTable kPassThroughDatasetCpu{kEntries};

}  // namespace rill
