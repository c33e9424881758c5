#include "rill/ops/data/core/stats_aggregator.h"

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kExperimentalStatsAggregatorHandle, kExperimentalStatsAggregatorSummary,
    kStatsAggregatorHandle, kStatsAggregatorHandleV2, kStatsAggregatorSetSummaryWriter,
    kStatsAggregatorSummary;

namespace {

void give_aggregator(KernelCall& call) {
  call.state<SharedHandle>().set_output(
      call, StatsAggregator::kTypeName, [] { return std::make_shared<StatsAggregator>(); },
      [](const Resource& found) {
        require(dynamic_cast<const StatsAggregator*>(&found) != nullptr, found.describe(),
                " is not an aggregator of statistics");
      });
}

void give_summary(KernelCall& call) {
  call.set_output(0, Tensor::scalar(shared_input_as<StatsAggregator>(call)->summary()));
}

void set_writer(KernelCall& call) {
  const auto& handle = scalar_input<ResourceHandle>(call, 1, "summary");
  auto writer = call.step().resources->find_as<SummaryEvents>(handle.container, handle.name);
  if (writer == nullptr)
    raise(Code::kNotFound, "Resource ", handle.container, "/", handle.name, "/",
          SummaryEvents::kTypeName, " does not exist.");
  shared_input_as<StatsAggregator>(call)->set_writer(std::move(writer));
}

constexpr KernelEntry kEntries[] = {
    shared_handle_kernel(kStatsAggregatorHandle, give_aggregator),
    shared_handle_kernel(kStatsAggregatorHandleV2, give_aggregator),
    shared_handle_kernel(kExperimentalStatsAggregatorHandle, give_aggregator),
    {.op = &kStatsAggregatorSummary, .run = give_summary, .allocates = true},
    {.op = &kExperimentalStatsAggregatorSummary, .run = give_summary, .allocates = true},
    {.op = &kStatsAggregatorSetSummaryWriter, .run = set_writer, .allocates = true},
};

}  // namespace

extern const KernelTable kStatsAggregatorCpu{kEntries};

}  // namespace rill
