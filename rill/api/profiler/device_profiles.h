#pragma once

#include <map>
#include <string>
#include <vector>

#include "rill/graph/graph.h"
#include "tensorflow/core/profiler/profile.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::profiler {

// A traced step as pprof shows it: for each device what its nodes took, below the lines that made
// them. Values of a sample are how often, nanoseconds in all, and nanoseconds of the kernel.
std::map<std::string, tensorflow::tfprof::pprof::Profile> device_profiles(
    const Graph& graph, const tensorflow::RunMetadata& metadata);

// Writes them into `directory`, which is made, one file for each device:
// "job_localhost_replica_0_task_0_device_CPU_0_20300101120000.pb.gz". Returns their paths.
std::vector<std::string> write_device_profiles(const Graph& graph,
                                               const tensorflow::RunMetadata& metadata,
                                               const std::string& directory);

}  // namespace rill::profiler
