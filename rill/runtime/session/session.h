#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "rill/graph/graph.h"
#include "rill/passes/debug_options.h"
#include "rill/runtime/session/fetch.h"
#include "rill/runtime/step/nan_origin.h"
#include "rill/runtime/step/step_stats.h"

namespace rill {

class OpGuard;
class Plan;
class ResourceManager;
class Session;

struct SessionOptions {
  std::string target = {};   // "" or "local"; "grpc://host:port": a server of a cluster
  int intra_op_threads = 0;  // 0: as many as the machine has cores
  int inter_op_threads = 0;  // < 0: nodes always run on the caller's thread
  std::map<std::string, int> device_count = {};  // {"CPU", 2} gives two CPU devices
  std::int64_t timeout_ms = 0;                   // for every run that sets none; 0: no limit
  bool allow_soft_placement = false;
  bool log_device_placement = false;
  bool fold = true, share = true, simplify = true, inline_calls = true;  // graph passes
  // Rewrites (docs/design.md lists them) to leave out, by name, or "all", and those to apply that
  // are off unless asked for; the environment's RILL_REWRITES_OFF and RILL_REWRITES_ON name more.
  // Opening a session throws InvalidArgument for a name that no rewrite has.
  std::set<std::string, std::less<>> rewrites_off = {}, rewrites_on = {};
  std::string default_container = "localhost";
  int inter_op_pool_count = 1;  // pools that RunOptions may name; they are all the same one
  // After this many successful runs the graph is finalised, so that a program which keeps adding
  // nodes fails at the line that does it. 0: never, unless the environment says
  // RILL_FINALIZE_AFTER=n.
  int finalize_after = 0;
  // Looks at the results of every kernel for the node that made the first NaN of a step; the
  // environment asks with RILL_FIND_NAN=report or =stop. Infinities are reported where a NaN came
  // of them or where they were fetched.
  FindNan find_nan = FindNan::off;
  OnNan on_nan = {};  // told instead of the log
  // Measures every so many runs of each signature, after its first ones, and tells the costs of
  // nodes to who asks for statistics of such a run. 0: none.
  std::int64_t build_cost_model = 0, build_cost_model_after = 0;
  // Of sessions of a cluster: which tasks they use, beside the target's own ("/job:ps"); none: all.
  std::vector<std::string> device_filters = {};
  // Of those: a serialised ConfigProto for the master, which goes before what stands here; "": made
  // of what stands here.
  std::string config = {};
  // Sees every kernel before it is made and may refuse it; none: the graph is trusted.
  std::shared_ptr<const OpGuard> guard = {};
};

struct RunOptions {
  std::int64_t timeout_ms = 0;  // 0: the session's
  bool trace = false;           // collect statistics of nodes, for who gives a StepStats
  // Write what each device runs into the step statistics.
  bool output_partition_graphs = false;
  // Which of the session's pools runs independent nodes; -1: none, all on the caller's thread.
  int inter_op_thread_pool = 0;
  // What this run publishes for a debugger to see. A run that watches anything runs the graph as
  // the program built it, without rewrites.
  DebugOptions debug = {};
};

struct DeviceInfo {
  std::string name = {}, type = {};
  std::int64_t memory_limit = 0;
  std::uint64_t incarnation = 0;
};

// A signature (feeds, fetches, targets) compiled once; running it looks nothing up. Outlives
// neither its session nor its graph. Safe to call from several threads at once. Throws as
// Session::run does.
//
//   const Callable predict = session.make_callable(feeds, fetches);
//   std::vector<Tensor> results = predict(values);
class Callable {
 public:
  // Values in the order of the signature's feeds; results in the order of its fetches.
  std::vector<Tensor> operator()(std::span<const Tensor> feeds, const RunOptions& options = {},
                                 StepStats* stats = nullptr) const;

 private:
  friend class Session;
  Session* session_ = nullptr;
  std::shared_ptr<Plan> plan_;
  std::vector<Output> feeds_, fetches_;
  std::vector<Node*> targets_;
};

// Runs parts of one graph. Safe to call from several threads at once. Nodes added to the graph
// after the session was opened are seen by the next run.
//
//   Session session(graph);
//   Tensor y = session.run(output, {{x, Tensor::scalar(1.0f)}});
//
// The first run of a signature (which feeds, fetches and targets) places and compiles what it
// needs; later ones reuse that. Variables, queues and tables live in the session, not in the
// graph, and end with it.
class Session : public RunForms<Session> {
 public:
  // Throws InvalidArgument for options that make no sense, Unimplemented for a target that is not
  // known. A server of a cluster is asked with the first run.
  explicit Session(std::shared_ptr<Graph> graph, const SessionOptions& options = {});
  // Of the default graph. That is known to the building interface alone: who opens such a session
  // includes api/core/session.h, where default_graph_for() is found.
  template <std::same_as<SessionOptions> Options = SessionOptions>
  explicit Session(const Options& options = {}) : Session(default_graph_for(options), options) {}
  // Closes it. Runs in other threads must have returned.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Graph& graph() const;

  // Runs what `fetches` and `targets` need and returns the fetched values in that order. A feed
  // replaces its tensor for this run; its storage is borrowed until run returns. It need not
  // have the shape that the graph says. Throws Error when a feed has the wrong dtype or a kernel
  // fails; variables already assigned keep their new value. Throws DeadlineExceeded after the
  // timeout, Cancelled when the session is closed.
  std::vector<Tensor> run(std::span<const Feed> feeds, std::span<const Output> fetches,
                          std::span<Node* const> targets = {}, const RunOptions& options = {},
                          StepStats* stats = nullptr);
  // As programs write it: sess.run(train_op, {{x, images}, {y, labels}}); see fetch.h.
  using RunForms<Session>::run;
  std::vector<Tensor> run_fetches(const std::vector<Fetch>& fetches, const Feeds& feeds,
                                  const RunOptions& options = {}, StepStats* stats = nullptr);
  // The same by name: fetches "node:0", targets "node".
  std::vector<Tensor> run(const std::vector<std::pair<std::string, Tensor>>& feeds,
                          const std::vector<std::string>& fetches,
                          const std::vector<std::string>& targets = {});

  // Throws as the first run of the signature would.
  Callable make_callable(std::span<const Output> feeds, std::span<const Output> fetches,
                         std::span<Node* const> targets = {});

  // A step in instalments. Setup announces what will be fed and fetched; each partial_run gives
  // some feeds and returns some fetches. The step ends with the last of them. Throws
  // InvalidArgument for a handle or tensor that was not announced, one that came before, and a
  // fetch that needs what was not fed yet.
  std::string partial_run_setup(std::span<const Output> feeds, std::span<const Output> fetches,
                                std::span<Node* const> targets = {});
  std::vector<Tensor> partial_run(const std::string& handle, std::span<const Feed> feeds,
                                  std::span<const Output> fetches);

  // How often a run has found the graph larger than the run before it did.
  std::int64_t graph_extensions() const;

  // Their names as nodes may ask for them, "/job:localhost/replica:0/task:0/device:CPU:0".
  std::vector<DeviceInfo> list_devices() const;
  // What outlives steps: variables and the like, by container and name.
  ResourceManager& resources() const;
  // Fails running steps with Cancelled and later ones with "Attempted to use a closed Session.".
  void close();
  bool closed() const;

  // Clears these containers (the default one when none is named) in every open session of the
  // process and closes the sessions, as TensorFlow does.
  static void reset(const std::vector<std::string>& containers);
  // The same of the cluster that a server belongs to, and of the sessions that it is the master of.
  static void reset(const SessionOptions& options, const std::vector<std::string>& containers);

 private:
  friend class Callable;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rill
