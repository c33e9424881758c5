#include "rill/api/train/device_setter.h"

#include <algorithm>
#include <memory>

#include "rill/base/error.h"
#include "rill/graph/device_name.h"

namespace rill::train {
namespace {

const std::vector<std::string>& standard_ps_ops() {
  static const std::vector<std::string> ops{"Variable",
                                            "VariableV2",
                                            "AutoReloadVariable",
                                            "MutableHashTable",
                                            "MutableHashTableV2",
                                            "MutableHashTableOfTensors",
                                            "MutableHashTableOfTensorsV2",
                                            "MutableDenseHashTable",
                                            "MutableDenseHashTableV2",
                                            "VarHandleOp",
                                            "BoostedTreesEnsembleResourceHandleOp",
                                            "BoostedTreesQuantileStreamResourceHandleOp",
                                            "ResourceConditionalAccumulator",
                                            "DecisionTreeResource"};
  return ops;
}

PlacementStrategy one_after_the_other(std::int64_t tasks) {
  return [tasks, next = std::make_shared<std::int64_t>(0)](Node&) {
    const std::int64_t task = *next;
    *next = (task + 1) % tasks;
    return task;
  };
}

}  // namespace

DeviceFunction replica_device_setter(std::int64_t ps_tasks, const ReplicaDeviceOptions& options) {
  require(ps_tasks > 0, "ps_tasks must be > 0, not ", ps_tasks);
  const DeviceName ps = DeviceName::parse(options.ps_device);
  const DeviceName worker = DeviceName::parse(options.worker_device);
  const std::vector<std::string> ops = options.ps_ops.value_or(standard_ps_ops());
  const PlacementStrategy choose =
      options.ps_strategy ? options.ps_strategy : one_after_the_other(ps_tasks);
  const bool merge = options.merge_devices, serves = !options.ps_device.empty();
  return [ps, worker, ops, choose, merge, serves](Node& node) -> std::string {
    if (!merge && !node.device().empty()) return node.device();
    const DeviceName own = DeviceName::parse(node.device());
    if (!serves || std::ranges::find(ops, node.op().name) == ops.end())
      return to_text(own.over(worker));
    DeviceName chosen = ps;
    if (ps.job && (!own.job || own.job == ps.job)) chosen.task = static_cast<int>(choose(node));
    return to_text(own.over(chosen));
  };
}

}  // namespace rill::train
