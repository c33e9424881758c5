#include "rill/api/replicas/replica_threads.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "rill/api/core/outermost_graph.h"
#include "rill/api/core/scope_changes.h"
#include "rill/api/replicas/shared_variables.h"
#include "rill/api/variables/variable_scope.h"
#include "rill/base/blocking.h"

namespace rill::distribute {
namespace {

constexpr int kNobody = -1;  // the thread that builds the replicas itself

// Where a thread is in building: what another one needs to go on from there.
struct Place {
  std::shared_ptr<Graph> outermost = outermost_graph(), graph = default_graph();
  Scope scope = current_scope();
  VariableScopeRef variables = get_variable_scope();
  VariableCreators creators = variable_creators();
};

// Whose turn it is.
class Turns {
 public:
  void give_to(int who) {
    {
      const std::lock_guard lock(mutex_);
      turn_ = who;
    }
    changed_.notify_all();
  }
  void wait_for(int who) {
    const Blocking blocking;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return turn_ == who; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int turn_ = kNobody;
};

class ReplicaThreads;

class ThreadedReplica final : public ReplicaContext {
 public:
  ThreadedReplica(ReplicaThreads& all, StrategyRef strategy, int replica)
      : ReplicaContext(std::move(strategy), replica), all_(all) {}

  void merge(void* mine, const Merge& together) override;

  // Of the thread that is stopped in merge().
  void* brought = nullptr;
  const Merge* together = nullptr;
  std::optional<Place> place;
  bool ended = false;
  std::exception_ptr error;
  std::thread thread;

 private:
  ReplicaThreads& all_;
};

class ReplicaThreads {
 public:
  ReplicaThreads(const StrategyRef& strategy, const std::function<void(ReplicaContext&)>& build)
      : strategy_(strategy), build_(build) {
    for (int i = 0; i < strategy->local_replicas(); ++i)
      replicas_.push_back(std::make_unique<ThreadedReplica>(*this, strategy, i));
  }
  ~ReplicaThreads() { stop(); }

  void run() {
    while (true) {
      for (const auto& replica : replicas_) go_on(*replica);
      const auto ended = std::ranges::count_if(replicas_, [](const auto& r) { return r->ended; });
      if (ended == std::ssize(replicas_)) return;
      if (ended > 0)
        raise(Code::kFailedPrecondition,
              "Some replicas made a different number of replica_context().merge_call() calls.");
      merge_all();
    }
  }

  void pause(ThreadedReplica& replica) {
    turns_.give_to(kNobody);
    turns_.wait_for(replica.replica());
    if (stopped_) raise(Code::kCancelled, "Another replica has failed.");
  }

 private:
  // Until it merges or ends.
  void go_on(ThreadedReplica& replica) {
    if (!replica.thread.joinable()) replica.thread = std::thread([&] { run_on_thread(replica); });
    turns_.give_to(replica.replica());
    turns_.wait_for(kNobody);
    if (replica.error) std::rethrow_exception(std::exchange(replica.error, nullptr));
  }

  void run_on_thread(ThreadedReplica& replica) {
    turns_.wait_for(replica.replica());
    try {
      build_replica(replica);
    } catch (...) {
      if (!stopped_) replica.error = std::current_exception();
    }
    replica.ended = true;
    turns_.give_to(kNobody);
  }

  void build_replica(ThreadedReplica& replica) {
    const int index = replica.replica();
    const AsDefault outermost(begin_.outermost);
    const AsDefault graph(begin_.graph);
    forget_variable_scopes();
    const WithVariableCreators creators(begin_.creators);
    const Standing standing(strategy_, &replica);
    const InReplica own(index);
    const InScope begun(begin_.scope);
    replica.replica_id_in_sync_group();
    const std::string& device = strategy_->worker_devices().at(static_cast<std::size_t>(index));
    const DeviceScope on_device(device);
    const NameScope named(name_of(index));
    VariableScopeOptions reuse;
    if (index > 0) reuse.reuse = Reuse::kYes;
    const VariableScopeBlock variables(begin_.variables, reuse);
    const variable_creator_scope shared(shared_.creator_of(index, device));
    build_(replica);
  }

  std::string name_of(int index) const {
    const std::string& around = begin_.scope.name();
    const std::string below = around.empty() ? std::string() : around + "/";
    return index == 0 ? below : str_cat(below, "replica_", index, "/");
  }

  // What all of them wait for, once, where the first one stopped.
  void merge_all() {
    ThreadedReplica& first = *replicas_.front();
    std::vector<void*> brought;
    std::vector<Node*> known = begin_.scope.control_for({}), waited_for;
    for (const auto& replica : replicas_) {
      brought.push_back(replica->brought);
      for (Node* const node : replica->place->scope.control_for({})) {
        if (std::ranges::find(known, node) != known.end()) continue;
        known.push_back(node);
        waited_for.push_back(node);
      }
    }
    const AsDefault graph(first.place->graph);
    const Standing outside(strategy_, nullptr);
    const InReplica none(-1);
    const std::string& name = first.place->scope.name();
    Scope there = begin_.scope.named(name.empty() ? name : name + "/");
    if (!waited_for.empty()) there = there.with_control(waited_for);
    const InScope merged(there.from(first.place->scope.origin()));
    const VariableScopeBlock variables(first.place->variables);
    (*first.together)(*strategy_, brought);
  }

  // Lets the threads that are not at their end end.
  void stop() {
    stopped_ = true;
    for (const auto& replica : replicas_) {
      if (!replica->thread.joinable()) continue;
      if (!replica->ended) {
        turns_.give_to(replica->replica());
        turns_.wait_for(kNobody);
      }
      const Blocking blocking;
      replica->thread.join();
    }
  }

  const StrategyRef strategy_;
  const std::function<void(ReplicaContext&)>& build_;
  const Place begin_;
  SharedVariables shared_;
  Turns turns_;
  bool stopped_ = false;  // under the turns
  std::vector<std::unique_ptr<ThreadedReplica>> replicas_;
};

void ThreadedReplica::merge(void* mine, const Merge& with) {
  brought = mine;
  together = &with;
  place.emplace();
  all_.pause(*this);
}

}  // namespace

void build_on_threads(const StrategyRef& strategy,
                      const std::function<void(ReplicaContext&)>& build) {
  ReplicaThreads(strategy, build).run();
}

void build_here(const StrategyRef& strategy, const std::function<void(ReplicaContext&)>& build) {
  const DeviceScope on_device(strategy->worker_devices().front());
  ReplicaContext replica(strategy, 0);
  replica.replica_id_in_sync_group();
  const Standing standing(strategy, &replica);
  const InReplica own(0);
  build(replica);
}

}  // namespace rill::distribute
