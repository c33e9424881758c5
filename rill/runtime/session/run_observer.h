#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "rill/runtime/session/session.h"

namespace rill {

// What a program asked of Session::run.
struct ObservedRun {
  Session& session;
  const std::shared_ptr<Graph>& graph;
  const SessionOptions& session_options;
  std::span<const Feed> feeds;
  std::span<const Output> fetches;
  std::span<Node* const> targets;
  const RunOptions& options;
  StepStats* stats;

  // Runs it as it is, or with other options; nobody observes that.
  std::vector<Tensor> run() const { return run(options, stats); }
  std::vector<Tensor> run(const RunOptions& others, StepStats* other_stats) const {
    return session.run(feeds, fetches, targets, others, other_stats);
  }
};

// Stands between a program and its runs: a debugger. What it returns, the program gets.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual std::vector<Tensor> run(const ObservedRun& run) = 0;
};
using RunObserverRef = std::shared_ptr<RunObserver>;

// Who observes; null: nobody any more. The most special is asked, and runs that an observer makes
// are not observed.
void observe_next_run(RunObserverRef observer);  // of this thread, whatever the session
void observe_session(const Session& session, RunObserverRef observer);  // while it is there
void observe_main_thread(RunObserverRef observer);  // every run of the program's main thread

// How many there are: 0 almost always, which is what every step asks first.
inline constinit std::atomic<int> observer_count = 0;

// For Session alone: who is to be asked about this run, if anybody, and that one is being asked.
RunObserverRef observer_of(const Session& session);
class BeingObserved {
 public:
  BeingObserved();
  ~BeingObserved();
  BeingObserved(const BeingObserved&) = delete;
  BeingObserved& operator=(const BeingObserved&) = delete;
};

}  // namespace rill
