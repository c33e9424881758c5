#pragma once

#include <atomic>
#include <mutex>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/collective/collectives.h"

namespace rill {

// One call of a collective op by one member. It joins its group, leaves values for other members
// and takes theirs; nobody is blocked meanwhile.
class CollectiveCall : public std::enable_shared_from_this<CollectiveCall> {
 public:
  CollectiveCall(KernelCall& call, Done done);
  virtual ~CollectiveCall() = default;
  CollectiveCall(const CollectiveCall&) = delete;
  CollectiveCall& operator=(const CollectiveCall&) = delete;

  void start();

 protected:
  // Called once the group is there; ends in finish(), now or later. What it throws fails the call.
  virtual void run() = 0;

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(group_->devices.size()); }
  std::int64_t instance() const { return instance_; }
  const CollectiveGroup& group() const { return *group_; }
  Collectives& collectives() const { return *collectives_; }
  const CollectiveGroupId& id() const { return id_; }
  const std::string& device() const { return device_; }
  KernelCall& call() const { return call_; }

  void leave_for(int member, const std::string& part, const Tensor& value);
  // Takes one value of every other member; values[rank()] is `own`.
  using Taken = std::function<void(std::vector<Tensor>)>;
  void take_from_all(const std::string& part, const Tensor& own, Taken then);
  void take_from(int member, const std::string& part, std::function<void(Tensor)> then);
  void finish(Tensor result);
  // Runs `step`; what it throws fails the call.
  void guarded(const std::function<void()>& step);

 private:
  void joined(std::exception_ptr error, CollectiveGroupRef group);
  void cancel();
  void abort_group(std::exception_ptr error);
  void fail(std::exception_ptr error);
  void end(std::exception_ptr error, Tensor result);
  void arrive();

  KernelCall& call_;
  const Done done_;
  const CollectiveGroupId id_;
  const std::int64_t instance_;
  const std::string device_;
  std::shared_ptr<Collectives> collectives_;
  std::mutex mutex_;
  CollectiveGroupRef group_;
  int rank_ = 0;
  std::int64_t token_ = 0;
  enum class State { kJoining, kRunning, kEnded };
  std::atomic<State> state_{State::kJoining};
  std::atomic<int> arrived_{0};
  std::exception_ptr error_;
  Tensor result_;
};

}  // namespace rill
