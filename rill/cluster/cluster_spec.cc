#include "rill/cluster/cluster_spec.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/graph/device_name.h"
#include "tensorflow/core/protobuf/cluster.pb.h"

namespace rill::cluster {

std::string task_name(std::string_view job, int task) {
  return str_cat("/job:", job, "/replica:0/task:", task);
}

std::string task_of_device(std::string_view device) {
  const DeviceName name = DeviceName::parse(device);
  require(name.job.has_value() && name.task.has_value(), "'", device,
          "' names no task of a cluster");
  return task_name(*name.job, *name.task);
}

ClusterSpec::ClusterSpec(const tensorflow::ClusterDef& def) {
  for (const auto& job : def.job())
    for (const auto& [index, address] : job.tasks()) {
      require(index >= 0, "Task ", index, " of job \"", job.name(), "\" is below 0");
      require(!address.empty(), "Task ", index, " of job \"", job.name(), "\" has no address");
      const bool fresh = addresses_.emplace(task_name(job.name(), index), address).second;
      require(fresh, "Job \"", job.name(), "\" has task ", index, " twice");
    }
}

const std::string& ClusterSpec::address(const std::string& task) const {
  const auto it = addresses_.find(task);
  require(it != addresses_.end(), "The cluster has no task ", task);
  return it->second;
}

bool ClusterSpec::passes(const std::string& task, std::span<const std::string> filters) {
  const DeviceName name = DeviceName::parse(task);
  return filters.empty() || std::ranges::any_of(filters, [&](const std::string& filter) {
           return DeviceName::parse(filter).covers(name);
         });
}

}  // namespace rill::cluster
