#include "rill/api/distribute/distributed_input.h"

#include "rill/api/data/stage.h"
#include "rill/base/error.h"

namespace rill::distribute {
namespace {

// A part has the rows that are left of a batch; how many is known where it can be divided.
data::ElementSpec of_parts(const data::ElementSpec& element, int parts) {
  data::ElementSpec result = element;
  for (data::ComponentSpec& part : result.parts) {
    if (!part.shape.has_rank()) continue;
    require(part.shape.rank() >= 1,
            "Cannot divide the batches of a dataset whose elements have no rows");
    std::vector<std::int64_t> dims(part.shape.dims().begin(), part.shape.dims().end());
    dims[0] = dims[0] >= 0 && dims[0] % parts == 0 ? dims[0] / parts : -1;
    part.shape = PartialShape(dims);
  }
  return result;
}

data::MultiDeviceIterator iterator_of(const StrategyExtended& strategy,
                                      const data::Dataset& dataset) {
  return {dataset,
          strategy.worker_devices(),
          {.source_device = canonical_device("/device:CPU:0", strategy.worker_devices().front())}};
}

}  // namespace

std::int64_t InputContext::get_per_replica_batch_size(std::int64_t global_batch_size) const {
  require(global_batch_size % num_replicas_in_sync == 0, "The `global_batch_size` ",
          global_batch_size, " is not divisible by `num_replicas_in_sync` ", num_replicas_in_sync,
          " ");
  return global_batch_size / num_replicas_in_sync;
}

data::Dataset rebatched(const data::Dataset& dataset, int parts, std::source_location at) {
  if (parts == 1) return dataset;
  const Block in("RebatchDataset", "", at);
  const data::ElementSpec element = of_parts(dataset.element(), parts);
  const Output variant = data::Stage("RebatchDataset", in.own_name())
                             .in(dataset.variant())
                             .value(parts, "num_replicas")
                             .element(element)
                             .made();
  return {variant, element, dataset.options()};
}

DistributedIterator::DistributedIterator(const Strategy& strategy, const data::Dataset& dataset)
    : iterator_(iterator_of(strategy.extended(), dataset)) {}

std::vector<data::Components> DistributedIterator::get_next() const {
  std::vector<data::Components> all;
  for (std::size_t i = 0; i < iterator_.device_count(); ++i) all.push_back(iterator_.get_next(i));
  return all;
}

DistributedIterator make_dataset_iterator(const Strategy& strategy, const data::Dataset& dataset) {
  return {strategy, rebatched(dataset, strategy.num_replicas_in_sync())};
}

DistributedIterator make_input_fn_iterator(
    const Strategy& strategy, const std::function<data::Dataset(const InputContext&)>& input) {
  const StrategyExtended& all = strategy.extended();
  const int pipelines = all.num_replicas_in_sync() / all.local_replicas();
  return {strategy, input({.num_input_pipelines = pipelines,
                           .input_pipeline_id = all.first_replica() / all.local_replicas(),
                           .num_replicas_in_sync = all.num_replicas_in_sync()})};
}

}  // namespace rill::distribute
