#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rill/cluster/task_options.h"

namespace tensorflow {
class ServerDef;
}

namespace rill::cluster {

// A task of a cluster: it runs the parts of graphs that clients place on its devices, and is the
// master of the sessions that are opened at its target. It runs what it is sent, so whoever reaches
// it may do what this process may, but for what its options refuse: it listens to this machine
// alone where its address is a local one, and elsewhere only where clients need a certificate or a
// token, or RILL_CLUSTER_OPEN=1 says that the network may be trusted.
//
//   const auto server = Server::start(server_def);
//   Session session(graph, {.target = server->target()});
class Server {
 public:
  // Throws InvalidArgument, Internal or Unknown, as TensorFlow does, for a task that the cluster
  // does not have and for an address where it cannot listen.
  static std::unique_ptr<Server> create(const tensorflow::ServerDef& def,
                                        const TaskOptions& options = {});
  ~Server();  // stops

  void start();
  void stop();
  void join();                         // until it is stopped
  bool join_for(std::int64_t millis);  // false: it still runs
  const std::string& target() const;   // "grpc://localhost:2222"
  const tensorflow::ServerDef& def() const;
  // Makes this task what the process is in collective ops of all its sessions
  // (ops/collective/collectives.h), until the server stops.
  void join_process_group();

 private:
  struct Impl;
  explicit Server(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace rill::cluster
