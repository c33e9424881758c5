#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rill/graph/graph.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/runtime/step_stats.h"

namespace rill {

class Plan;
class Session;

struct SessionOptions {
  std::string target;                       // "" or "local"
  int intra_op_threads = 0;                 // 0: as many as the machine has cores
  int inter_op_threads = 0;                 // < 0: nodes always run on the caller's thread
  std::map<std::string, int> device_count;  // {"CPU", 2} gives two CPU devices
  std::int64_t timeout_ms = 0;              // for every run that sets none; 0: no limit
  bool allow_soft_placement = false;
  bool log_device_placement = false;
  bool fold = true, share = true, simplify = true;  // graph passes
  std::string default_container = "localhost";
};

struct Feed {
  Output target;
  Tensor value;
};

struct RunOptions {
  std::int64_t timeout_ms = 0;  // 0: the session's
  bool trace = false;           // collect step statistics
};

struct DeviceInfo {
  std::string name, type;
  std::int64_t memory_limit = 0;
  std::uint64_t incarnation = 0;
};

// A signature (feeds, fetches, targets) compiled once; running it looks nothing up. Outlives
// neither its session nor its graph.
class Callable {
 public:
  // Values in the order of the signature's feeds; results in the order of its fetches.
  std::vector<Tensor> operator()(std::span<const Tensor> feeds, const RunOptions& options = {},
                                 StepStats* stats = nullptr) const;

 private:
  friend class Session;
  Session* session_ = nullptr;
  std::shared_ptr<Plan> plan_;
  std::vector<Output> feeds_;
};

// Runs parts of one graph. Safe to call from several threads at once. Nodes added to the graph
// after the session was opened are seen by the next run.
class Session {
 public:
  // Throws InvalidArgument for options that make no sense, Unimplemented for a remote target.
  explicit Session(std::shared_ptr<Graph> graph, const SessionOptions& options = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Graph& graph() const;

  // Runs what `fetches` and `targets` need and returns the fetched values in that order. A feed
  // replaces its tensor for this run; its storage is borrowed until run returns. Throws Error when
  // a feed has the wrong dtype or shape or a kernel fails; variables already assigned keep their
  // new value. Throws DeadlineExceeded after the timeout, Cancelled when the session is closed.
  std::vector<Tensor> run(std::span<const Feed> feeds, std::span<const Output> fetches,
                          std::span<Node* const> targets = {}, const RunOptions& options = {},
                          StepStats* stats = nullptr);
  // The same by name: fetches "node:0", targets "node".
  std::vector<Tensor> run(const std::vector<std::pair<std::string, Tensor>>& feeds,
                          const std::vector<std::string>& fetches,
                          const std::vector<std::string>& targets = {});

  Callable make_callable(std::span<const Output> feeds, std::span<const Output> fetches,
                         std::span<Node* const> targets = {});

  std::vector<DeviceInfo> list_devices() const;
  ResourceManager& resources() const;
  // Fails running steps with Cancelled and later ones with "Attempted to use a closed Session.".
  void close();
  bool closed() const;

  // Clears these containers (the default one when none is named) in every open session of the
  // process and closes the sessions, as TensorFlow does.
  static void reset(const std::vector<std::string>& containers);

 private:
  friend class Callable;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rill
