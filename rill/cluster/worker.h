#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "rill/cluster/client_watch.h"
#include "rill/cluster/cluster_spec.h"
#include "rill/cluster/long_calls.h"
#include "rill/cluster/periodic.h"
#include "rill/cluster/service.h"
#include "rill/cluster/session_owners.h"
#include "rill/cluster/step_logs.h"
#include "rill/cluster/step_rendezvous.h"
#include "rill/cluster/task_collectives.h"
#include "rill/cluster/worker_session.h"
#include "rill/runtime/memory/cpu_device.h"
#include "rill/runtime/memory/resource_store.h"
#include "rill/runtime/session/session.h"

namespace tensorflow {
class CleanupAllRequest;
class CreateWorkerSessionRequest;
class DeviceAttributes;
class RegisterGraphRequest;
class RunGraphRequest;
class RunGraphResponse;
}  // namespace tensorflow

namespace rill::wire {
class StatusResponse;
}

namespace rill::cluster {

struct WorkerOptions {
  std::string task;  // "/job:worker/replica:0/task:0"
  ClusterSpec cluster;
  SessionOptions defaults;                                   // devices, threads, the guard
  std::shared_ptr<const net::ClientSecurity> security = {};  // of calls of other tasks
  std::string collective_leader = {};                        // "": the chief, else the first worker
};

// The latest of the steps that are over.
class RecentSteps {
 public:
  void add(std::int64_t step) {
    if (!known_.insert(step).second) return;
    order_.push_back(step);
    if (order_.size() <= kMost) return;
    known_.erase(order_.front());
    order_.pop_front();
  }
  bool contains(std::int64_t step) const { return known_.contains(step); }

 private:
  static constexpr std::size_t kMost = 4096;
  std::deque<std::int64_t> order_;
  std::unordered_set<std::int64_t> known_;
};

// A task of a cluster as masters and other tasks see it: its devices, the parts of graphs that run
// on them, what steps exchange, and what outlives steps, which all sessions share. Its methods are
// TensorFlow's WorkerService.
class Worker {
 public:
  explicit Worker(WorkerOptions options);
  ~Worker();  // ends what runs

  const Service& service() const { return service_; }
  const std::string& task() const { return options_.task; }
  const ClusterSpec& cluster() const { return options_.cluster; }
  const std::shared_ptr<TaskCollectives>& collectives() const { return collectives_; }
  std::vector<tensorflow::DeviceAttributes> device_attributes() const;
  // What is kept here for masters.
  struct Kept {
    std::size_t sessions = 0, steps = 0;
  };
  Kept kept() const;
  ClientWatch& watch() { return watch_; }
  void tell(wire::StatusResponse* status);  // what runs here and waits

 private:
  // A part of a partial run, which goes on between its calls.
  struct PartialPart {
    std::mutex mutex;
    Condition changed;
    bool has_ended = false;
    std::exception_ptr error;
  };
  // What is under way of one step here.
  struct Step {
    std::shared_ptr<StepRendezvous> rendezvous;
    std::list<std::shared_ptr<StepCanceller>> runs;
    std::string session;  // "": somebody asks for what it sends, and it has not begun
    std::int64_t made_nanos = 0;
    std::shared_ptr<PartialPart> partial;
    std::vector<std::int64_t> pieces;  // numbers of tensors that are given out in pieces
  };
  using RunGraphRequest = tensorflow::RunGraphRequest;
  using RunGraphResponse = tensorflow::RunGraphResponse;

  void add_methods();
  std::shared_ptr<WorkerSession> session(const std::string& handle);
  void delete_session(const std::string& handle);
  void create_session(const tensorflow::CreateWorkerSessionRequest& request);

  // worker_steps.cc
  void run_graph(const RunGraphRequest& request, RunGraphResponse* response,
                 const net::CallLimits& limits, const Done& done);
  void answer_run(const RunGraphRequest& request, RunGraphResponse* response,
                  const net::CallLimits& limits, const Done& done);
  void run_once(const RunGraphRequest& request, RunGraphResponse* response,
                const net::CallLimits& limits);
  void run_part(const RunGraphRequest& request, RunGraphResponse* response,
                const net::CallLimits& limits);
  std::shared_ptr<PartialPart> begin_part(const RunGraphRequest& request,
                                          const std::shared_ptr<StepRendezvous>& meeting);
  static void wait_for_end(PartialPart& part);
  std::shared_ptr<StepCanceller> enter_step(const RunGraphRequest& request);
  void leave_step(std::int64_t id, const std::shared_ptr<StepCanceller>& canceller);
  void clean_up_step(std::int64_t step_id, const char* why);
  std::shared_ptr<StepRendezvous> rendezvous(std::int64_t step_id);
  std::shared_ptr<TaskCollectives> make_collectives();
  void share_collectives(ResourceManager& resources) const;

  // worker_transfers.cc
  void recv_tensor(const std::shared_ptr<net::RpcCall>& call);
  void reply_tensor(net::RpcCall& call, std::int64_t step_id, bool takes_pieces, Tensor value,
                    bool is_dead);
  void read_piece(const std::shared_ptr<net::RpcCall>& call);
  void forget_pieces(const std::vector<std::int64_t>& numbers);
  void check_source(const std::string& key) const;

  void look_after_steps();
  void forget_what_nobody_wants();
  void clean_up_all(const tensorflow::CleanupAllRequest& request);

  const WorkerOptions options_;
  std::unique_ptr<ThreadPool> own_pool_;
  ThreadPool& pool_;
  std::vector<std::unique_ptr<CpuDevice>> devices_;
  const std::shared_ptr<ResourceStore> resources_;
  std::shared_ptr<TaskCollectives> collectives_;
  Service service_;
  StepLogs logs_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<WorkerSession>> sessions_;
  std::map<std::int64_t, Step> steps_;
  std::map<std::int64_t, Tensor> pieces_;
  RecentSteps over_;
  SessionOwners owners_;
  ClientWatch watch_;
  StepThreads threads_;
  LongCalls long_calls_{threads_};
  int looks_ = 0;
  Periodic looking_;  // ends first
};

}  // namespace rill::cluster
