#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rill/cluster/simulation/simulated_network.h"
#include "rill/cluster/task_services.h"
#include "tensorflow/core/protobuf/cluster.pb.h"

namespace rill::cluster {

// The tasks of a cluster on a simulated network. A task is the code of a real one, but for threads,
// clock and gRPC; its address, "ps0:1", begins with its host's name.
class SimulatedCluster {
 public:
  using Process = SimulatedNetwork::Process;
  using Jobs = std::map<std::string, int>;  // how many tasks

  SimulatedCluster(SimulatedNetwork& network, const Jobs& jobs);

  std::vector<std::string> tasks() const;  // "ps0", "worker0"
  static std::string address(const std::string& task) { return task + ":1"; }
  static std::string target(const std::string& task) { return "grpc://" + address(task); }

  // The last three from threads of the simulation. A new process for the task.
  Process start(const std::string& task);
  void crash(const std::string& task, bool silently);  // with what else runs in the process
  void stop_all();

  bool is_up(const std::string& task) const { return up_.contains(task); }
  Process process(const std::string& task) const { return up_.at(task).process; }
  // A process without a server, on a host of its own.
  Process start_client(const std::string& host);

  // What the tasks keep for others: sessions of masters and of workers, steps. Empty: nothing.
  std::string kept() const;

 private:
  struct Up {
    Process process = 0;
    std::shared_ptr<TaskServices> services;
  };

  SimulatedNetwork& network_;
  tensorflow::ClusterDef def_;
  std::map<std::string, std::pair<std::string, int>> names_;  // job and index, by task
  std::map<std::string, Up> up_;
  Process next_ = 1;
};

}  // namespace rill::cluster
