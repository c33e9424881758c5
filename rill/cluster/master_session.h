#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "rill/base/scheduler.h"
#include "rill/cluster/remote_device.h"
#include "rill/cluster/step_rendezvous.h"
#include "rill/cluster/task_calls.h"
#include "rill/graph/graph.h"
#include "rill/runtime/placement/placer.h"
#include "rill/runtime/plan/kernel_cache.h"
#include "rill/runtime/session/partial_run.h"

namespace tensorflow {
class ConfigProto;
class DebugOptions;
class GraphDef;
class RunGraphResponse;
class RunMetadata;
class TensorProto;
}  // namespace tensorflow

namespace rill::wire {
class Session;
}

namespace rill::cluster {

// What a session's master knows of the cluster.
struct SessionTasks {
  std::string own;                     // the task that the master is part of
  std::shared_ptr<const Links> links;  // to the tasks that the session may use, this one too
  std::vector<std::unique_ptr<RemoteDevice>> devices;  // the client's first
  std::set<std::string> take_notes;                    // of the tasks, by what they say (Note)
  ClientWatch* watch = nullptr;                        // outlives the session
};

// A session of a client: its graph, cut for each signature into the parts that tasks run. Safe from
// several threads.
class MasterSession : public std::enable_shared_from_this<MasterSession> {
 public:
  MasterSession(std::string handle, SessionTasks tasks, const tensorflow::ConfigProto& config);
  ~MasterSession();

  const std::string& handle() const { return handle_; }
  const std::vector<std::unique_ptr<RemoteDevice>>& devices() const { return tasks_.devices; }
  // Tells every task of the session. Throws what one of them answers.
  void open(const tensorflow::ConfigProto& config);
  // Adds nodes; `version` is the one that the client knows. Returns the new one.
  std::int64_t extend(const tensorflow::GraphDef& def, std::int64_t version);
  std::int64_t version();
  bool is_running();  // a step, or several

  struct Signature {
    std::vector<std::string> feeds, fetches, targets;
  };
  struct StepLimits {
    std::int64_t timeout_ms = 0;
    std::function<bool()> is_gone;
    bool traces = false;
    bool partition_graphs = false;
    const tensorflow::DebugOptions* debug = nullptr;  // what is watched, if anything
  };
  // Runs a step. `feeds` as the signature's; results as its fetches, each written by `give`.
  using Feeds = std::vector<const tensorflow::TensorProto*>;
  using Result = std::function<tensorflow::TensorProto*(std::size_t)>;
  void run(const Signature& signature, const Feeds& feeds, const StepLimits& limits,
           const Result& result, tensorflow::RunMetadata* metadata);
  // A step in instalments: what will be fed and fetched. Returns its handle.
  std::string partial_run_setup(const Signature& signature);
  // Gives some feeds and takes some fetches, of the names that `part` has.
  void partial_run(const std::string& handle, const Signature& part, const Feeds& feeds,
                   const StepLimits& limits, const Result& result);
  // Lets the tasks forget the session; steps under way are cancelled.
  void close();
  void tell(wire::Session* status);

 private:
  struct Part {
    std::string task, handle, graph;  // `graph`: serialised
  };
  // A signature as tasks know it.
  struct Step {
    std::vector<Part> parts;
    std::vector<std::string> feed_keys;   // where feeds are sent in the client's part
    std::vector<std::string> fetch_keys;  // each fetch's
    std::int64_t runs = 0;
    LongMutex mutex;
    bool is_registered = false;
  };
  struct Running {
    std::shared_ptr<Step> step;
    TaskCalls* calls = nullptr;  // null: between the calls of a partial run
    std::int64_t since = 0;      // of monotonic_nanos()
  };
  // A step that gets its feeds little by little.
  struct PartialStep {
    PartialStep(std::vector<Output> feeds, std::vector<Output> fetches)
        : announced(std::move(feeds), std::move(fetches)) {}
    std::shared_ptr<Step> step;
    std::int64_t id = 0;
    LongMutex mutex;
    PartialAnnouncement announced;
    bool has_begun = false;
  };
  // What the parts of a step are called with.
  struct PartCall {
    std::vector<std::pair<std::string, const tensorflow::TensorProto*>> feeds;  // by key
    std::set<std::string> fetch_keys;
    bool traces = false;
    bool is_partial = false, is_last = false, is_own_alone = false;
  };
  using Answers = std::vector<std::shared_ptr<tensorflow::RunGraphResponse>>;

  std::shared_ptr<Step> step(const Signature& signature, const StepLimits& limits);
  std::shared_ptr<Step> cut(const Signature& signature);
  std::shared_ptr<Step> keep_watched(const std::string& key, std::shared_ptr<Step> step);
  void register_parts(Step& step, const StepLimits& limits);
  void deregister(const Step& step);
  Answers call_parts(const std::shared_ptr<Step>& step, std::int64_t id, const PartCall& call,
                     const StepLimits& limits);
  void call_part(TaskCalls& calls, const Part& part, std::int64_t id, const PartCall& call,
                 Answers& answers);
  void run_registered(const std::shared_ptr<Step>& step, const Feeds& feeds,
                      const StepLimits& limits, const Result& result,
                      tensorflow::RunMetadata* metadata);
  void begin_step(std::int64_t id, const std::shared_ptr<Step>& step);
  void end_step(std::int64_t id, const Step& step, bool went_well);
  void clean_up(const Step& step, std::int64_t step_id);
  void clean_up_later(const Step& step, std::int64_t step_id);
  void clean_up_on(const std::string& task, std::int64_t step_id);
  void clean_up_late();
  std::shared_ptr<PartialStep> partial(const std::string& handle);
  std::string client_key(const std::string& tensor) const;

  const std::string handle_;
  const SessionTasks tasks_;
  const bool isolates_;
  const std::int64_t timeout_ms_;
  const std::string graph_options_;  // serialised
  Graph graph_;
  KernelCache kernels_;
  Placer placer_;
  std::mutex mutex_;
  std::int64_t version_ = 0;
  std::map<std::string, std::shared_ptr<Step>> steps_;  // by signature
  std::deque<std::string> watched_;  // of them: those that a debugger watches, the oldest first
  std::map<std::int64_t, Running> running_;
  std::map<std::string, std::vector<std::int64_t>> unclean_;  // steps that are over, by task
  bool will_clean_ = false;  // they will be told of them if nothing else does it
  std::map<std::string, std::shared_ptr<PartialStep>> partials_;
  std::int64_t next_partial_ = 0, ended_steps_ = 0;
  const std::int64_t opened_;  // of monotonic_nanos()
  bool closed_ = false;
};

}  // namespace rill::cluster
