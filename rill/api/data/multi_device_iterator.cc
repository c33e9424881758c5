#include "rill/api/data/multi_device_iterator.h"

#include <algorithm>

#include "rill/api/core/control_flow.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/data/stage.h"
#include "rill/base/error.h"

namespace rill::data {
namespace {

// The elements that one device gets.
Dataset shard_of(Output handle, Output incarnation, int shard, const ElementSpec& element) {
  const auto init = [handle](const Components&) { return Stage("Identity").in(handle).made(); };
  const auto next = [=](Output of_shard) {
    const Output iterator =
        Stage("MultiDeviceIteratorFromStringHandle").in(of_shard).element(element).made();
    Node& taken = Stage("MultiDeviceIteratorGetNextFromShard")
                      .in(iterator)
                      .value(shard, "shard_num", DType::i32)
                      .in(incarnation)
                      .element(element)
                      .add();
    return all_outputs(taken);
  };
  const auto finalize = [](const Components&) {
    return Component(Tensor::scalar<std::int64_t>(0));
  };
  const TracedFunction start = trace("Dataset_from_generator", init, ElementSpec{});
  const TracedFunction step = trace("Dataset_from_generator", next, start.result);
  const TracedFunction end = trace("Dataset_from_generator", finalize, start.result);
  return {Stage("GeneratorDataset")
              .in(start.captured)
              .in(step.captured)
              .in(end.captured)
              .attr("init_func", start.name)
              .attr("next_func", step.name)
              .attr("finalize_func", end.name)
              .element(element)
              .made(),
          element};
}

}  // namespace

MultiDeviceIterator::MultiDeviceIterator(const Dataset& dataset, std::vector<std::string> devices,
                                         const MultiDeviceIteratorOptions& options)
    : devices_(std::move(devices)), element_(dataset.element()) {
  require(!devices_.empty(), "a MultiDeviceIterator needs at least one device");
  Output handle, incarnation;
  {
    const DeviceScope source(options.source_device);
    const Dataset applied = dataset.with_options_applied();
    const Output resource = Stage("MultiDeviceIterator")
                                .attr("devices", devices_)
                                .attr("shared_name", "")
                                .attr("container", "")
                                .element(element_)
                                .made();
    handle = Stage("MultiDeviceIteratorToStringHandle").in(resource).made();
    incarnation = Stage("MultiDeviceIteratorInit")
                      .in(applied.variant())
                      .in(resource)
                      .value(options.max_buffer_size, "max_buffer_size")
                      .made();
  }
  std::vector<Node*> initializers;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const DeviceScope on(devices_[i]);
    Dataset mine = shard_of(handle, incarnation, static_cast<int>(i), element_);
    if (options.prefetch_buffer_size > 0) mine = mine.prefetch(options.prefetch_buffer_size);
    iterators_.push_back(mine.with_options({.optimization = {.apply_default_optimizations = false,
                                                             .autotune = false}})
                             .make_initializable_iterator());
    initializers.push_back(&iterators_.back().initializer());
  }
  initializer_ = &group(initializers);
}

Components MultiDeviceIterator::get_next(std::size_t device) const {
  require(device < iterators_.size(), "there is no device ", device, " of ", iterators_.size());
  const DeviceScope on(devices_[device]);
  return iterators_[device].get_next();
}

Components MultiDeviceIterator::get_next(const std::string& device) const {
  const auto found = std::ranges::find(devices_, device);
  require(found != devices_.end(), "Device ", device, " is not available");
  return get_next(static_cast<std::size_t>(found - devices_.begin()));
}

}  // namespace rill::data
