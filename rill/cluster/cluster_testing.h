#pragma once

// Tasks of a cluster as servers of this process, which reach each other by gRPC.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/cluster/remote_session.h"
#include "rill/cluster/server.h"
#include "rill/cluster/service.h"
#include "rill/graph/scope.h"
#include "rill/net/socket/listener.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"

namespace rill::cluster {

// A port that was free a moment ago.
inline int free_port() {
  const net::Listener listener("127.0.0.1", 0);
  return listener.port();
}

// "ps" with one task, "worker" with two.
class Cluster {
 public:
  Cluster() {
    add_job("ps", 1);
    add_job("worker", 2);
    for (const auto& job : def_.job())
      for (const auto& [index, address] : job.tasks()) start(job.name(), index);
  }
  void start(const std::string& job, int index, const TaskOptions& options = {}) {
    tensorflow::ServerDef def;
    *def.mutable_cluster() = def_;
    def.set_job_name(job);
    def.set_task_index(index);
    def.set_protocol("grpc");
    servers_[job + std::to_string(index)] = Server::create(def, options);
  }
  void stop(const std::string& task) { servers_.erase(task); }
  std::string target(const std::string& task) const { return servers_.at(task)->target(); }

 private:
  void add_job(const std::string& name, int tasks) {
    auto& job = *def_.add_job();
    job.set_name(name);
    for (int i = 0; i < tasks; ++i) (*job.mutable_tasks())[i] = str_cat("127.0.0.1:", free_port());
  }

  tensorflow::ClusterDef def_;
  std::map<std::string, std::unique_ptr<Server>> servers_;
};

using Floats = std::vector<float>;
inline Floats floats(const Tensor& tensor) {
  const auto values = tensor.flat<float>();
  return {values.begin(), values.end()};
}

using Named = std::vector<std::pair<std::string, Tensor>>;
using Names = std::vector<std::string>;
inline std::vector<Tensor> run(Session& session, const Names& fetches, const Named& feeds = {}) {
  return session.run(feeds, fetches, Names());
}
inline void run_target(Session& session, const std::string& name) {
  session.run(Named(), Names(), Names{name});
}

class ClusterTest : public testing::Test {
 protected:
  void SetUp() override { register_remote_sessions(); }
  std::shared_ptr<Graph> graph() { return std::make_shared<Graph>(standard_ops()); }
  static Output on(Scope& scope, const std::string& device, const std::string& op,
                   std::vector<Output> inputs, AttrMap attrs = {}, const std::string& name = "") {
    return Output{&scope.graph().add({.op = op,
                                      .name = scope.graph().unique_name(name.empty() ? op : name),
                                      .inputs = std::move(inputs),
                                      .attrs = std::move(attrs),
                                      .device = device}),
                  0};
  }
  Cluster cluster_;
};

}  // namespace rill::cluster
