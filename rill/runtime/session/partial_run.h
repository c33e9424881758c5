#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "rill/runtime/executor/run_partitions.h"
#include "rill/runtime/step/local_rendezvous.h"

namespace rill {

// What a partial run was told of when it began, and what of that has come. Not safe from several
// threads.
class PartialAnnouncement {
 public:
  PartialAnnouncement(std::vector<Output> feeds, std::vector<Output> fetches);

  // Notes that they come now. Throws InvalidArgument, and notes nothing, when one was not announced
  // or came before, or when a fetch needs what was not fed yet.
  void take(std::span<const Output> feeds, std::span<const Output> fetches);
  bool is_complete() const;

 private:
  struct Announced {
    Output tensor;
    bool came = false;
  };
  static void mark(std::vector<Announced>& list, std::span<const Output> tensors, bool came);
  void check_computable(std::span<const Output> fetches) const;

  std::vector<Announced> feeds_, fetches_;
};

// A step whose feeds arrive, and whose fetches are taken, little by little. It runs on threads of
// its own from the start and waits for the feeds it needs.
class PartialRun {
 public:
  // `device` is the client's, by name.
  PartialRun(std::shared_ptr<Plan> plan, std::string device, std::vector<Output> feeds,
             std::vector<Output> fetches);

  // Starts the step. `this` is kept alive until it ends.
  static void start(std::shared_ptr<PartialRun> self, const StepContext& step, ThreadPool& pool,
                    StepThreads& threads, const ExecutorOptions& options);

  // Gives `feeds` to the step and waits for `fetches`. Throws InvalidArgument when one was not
  // announced or came before, or when a fetch needs what was not fed yet: the step then goes on.
  // Other errors end it.
  std::vector<Tensor> go_on(std::span<const Output> feeds, std::span<const Tensor> values,
                            std::span<const Output> fetches);

  bool ended();  // every feed was given and every fetch taken, or the step has failed
  void wait();   // until nothing runs any more; throws what the step failed with
  void cancel() { workspace_->cancellation.cancel(); }

 private:
  std::vector<Tensor> receive(std::span<const Output> fetches);
  std::string key(const Output& tensor) const;

  const std::shared_ptr<Plan> plan_;
  const std::string device_;
  std::unique_ptr<Workspace> workspace_;
  LocalRendezvous rendezvous_;
  std::mutex mutex_;
  std::condition_variable changed_;
  PartialAnnouncement announced_;
  bool running_ = true;
  std::exception_ptr error_;
};

// The partial runs of a session, by handle. Safe from several threads.
class PartialRuns {
 public:
  // Returns the new handle, which tells what was announced, as TensorFlow's does.
  std::string add(std::shared_ptr<PartialRun> run, std::span<const Output> feeds,
                  std::span<const Output> fetches, std::span<Node* const> targets);
  // Throws InvalidArgument for a handle that is not known, or not any more, and as PartialRun does.
  std::vector<Tensor> go_on(const std::string& handle, std::span<const Output> feeds,
                            std::span<const Tensor> values, std::span<const Output> fetches);
  void cancel();  // all of them

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<PartialRun>> runs_;
  int next_ = 0;
};

}  // namespace rill
