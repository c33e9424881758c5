#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::train {

// Chooses the task of the parameter servers for a node.
using PlacementStrategy = std::function<std::int64_t(Node&)>;

struct ReplicaDeviceOptions {
  std::string ps_device = "/job:ps";
  std::string worker_device = "/job:worker";
  bool merge_devices = true;  // false: nodes that have a device keep it as it is
  std::optional<std::vector<std::string>> ps_ops =
      {};                              // variables, tables and accumulators when absent
  PlacementStrategy ps_strategy = {};  // one task after the other when absent
};
// For DeviceScope: puts what holds state on one of `ps_tasks` tasks, the rest on the worker. An
// empty ps_device means no parameter servers; a part of a device that a node has already wins over
// both. Throws InvalidArgument unless ps_tasks is positive, and for device names that cannot be
// read.
//
//   const DeviceScope placed(replica_device_setter(2));
DeviceFunction replica_device_setter(std::int64_t ps_tasks,
                                     const ReplicaDeviceOptions& options = {});

}  // namespace rill::train
