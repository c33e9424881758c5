#pragma once

#include <memory>
#include <string>

#include "rill/api/train/cluster.h"
#include "rill/runtime/session/session.h"

namespace tensorflow {
class ServerDef;
}

namespace rill::cluster {
class Server;
struct TaskOptions;
}  // namespace rill::cluster

namespace rill::train {

// Who may connect to a server, and how it shows who it is to others. What is "" is as the
// environment says (docs/cluster.md). Sessions say the same in their target:
// "grpc://host:2222?token=...&authority=...".
struct ClusterSecurity {
  std::string certificate = {}, key = {};  // files, PEM
  std::string authority = {};              // a file: who signs for the others
  std::string token = {};                  // whoever knows it is let in
};

struct ServerOptions {
  std::string job_name = {};  // may be left out where there is one job
  int task_index = -1;        // may be left out where the job has one task
  std::string protocol = "grpc";
  SessionOptions config = {};  // devices and threads of the task
  bool start = true;
  ClusterSecurity security = {};
  // What it does not run for clients: "read", "write", "files", "network", "code", "all" and names
  // of ops, between commas; and ops that it runs all the same.
  std::string refuse = {}, allow = {};
};

// What the tasks of a cluster say of themselves, as text: last contact, sessions, steps, who waits
// for whom since when. `target` is one of them. Throws Unavailable when it does not answer.
std::string cluster_status(const std::string& target);

// A task of a cluster in this process. Sessions whose target it is run there and on the other
// tasks:
//
//   const train::Server server(cluster, {.job_name = "worker", .task_index = 0});
//   Session session({.target = server.target()});
//
// Whoever reaches a server may do what this process may: see cluster/server.h.
class Server {
 public:
  // Throws InvalidArgument, Internal or Unknown for a task that the cluster does not have and for
  // an address where it cannot listen.
  explicit Server(const ClusterSpec& cluster, const ServerOptions& options = {});
  explicit Server(const tensorflow::ServerDef& def);
  Server(const tensorflow::ServerDef& def,
         const ServerOptions& options);  // the latter's last three
  // The only task of a cluster, at a free port of this machine.
  static Server create_local_server(const SessionOptions& config = {});
  ~Server();  // stops
  Server(Server&&) noexcept;
  Server& operator=(Server&&) noexcept;

  void start();
  void join();                        // as long as it runs: for good
  const std::string& target() const;  // "grpc://localhost:2222"

 private:
  std::unique_ptr<cluster::Server> server_;
};

}  // namespace rill::train
