#include "rill/api/names/modules.h"

#include <atomic>

#include "rill/api/core/scope_changes.h"
#include "rill/api/gen/data.h"
#include "rill/base/error.h"

namespace rill {
namespace {

std::atomic<bool> logs_placement = false;

// The state of an iterator as a part of a checkpoint.
class SavedIterator : public train::Saveable {
 public:
  explicit SavedIterator(Output resource)
      : Saveable(resource.node->name() + "-state"), resource_(resource) {
    specs_.push_back(
        {.tensor = raw::SerializeIterator(resource), .name = name(), .dtype = DType::variant});
  }
  const std::vector<train::SaveSpec>& specs() const override { return specs_; }
  std::string device() const override { return resource_.node->device(); }
  Node& restore(const std::vector<Output>& restored, const Inputs&) override {
    const ColocateWith beside(*resource_.node);
    return raw::DeserializeIterator(resource_, restored.at(0));
  }

 private:
  Output resource_;
  std::vector<train::SaveSpec> specs_;
};

}  // namespace

bool debugging::get_log_device_placement() { return logs_placement; }
void debugging::set_log_device_placement(bool enabled) { logs_placement = enabled; }

experimental::function_executor_type::function_executor_type(const std::string& executor_type) {
  require(executor_type.empty() || executor_type == "DEFAULT" ||
              executor_type == "SINGLE_THREADED_EXECUTOR",
          "there is no executor '", executor_type, "'");
}

PartialShape graph_util::tensor_shape_from_node_def_name(const Graph& graph,
                                                         const std::string& input_name) {
  return graph.tensor(input_name.find(':') == std::string::npos ? input_name + ":0" : input_name)
      .shape();
}

data::experimental::StatsAggregator::StatsAggregator() : resource_(raw::StatsAggregatorHandle()) {}
Output data::experimental::StatsAggregator::get_summary() const {
  return raw::StatsAggregatorSummary(resource_);
}

train::SaveableRef data::experimental::make_saveable_from_iterator(const Iterator& iterator) {
  return std::make_shared<SavedIterator>(iterator.resource());
}

}  // namespace rill
