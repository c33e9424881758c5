#include "rill/runtime/detached_work.h"

#include <atomic>

#include "rill/runtime/node_runner.h"
#include "rill/runtime/resource_store.h"

namespace rill {

class DetachedWork::Inside {
 public:
  explicit Inside(DetachedWork& work) : work_(work) {
    const std::lock_guard lock(work_.mutex_);
    if (work_.closed_) throw cancelled_error();
    ++work_.inside_;
  }
  ~Inside() {
    const std::lock_guard lock(work_.mutex_);
    if (--work_.inside_ == 0) work_.left_.notify_all();
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  DetachedWork& work_;
};

class DetachedWork::Calls final : public DetachedCalls, public std::enable_shared_from_this<Calls> {
 public:
  explicit Calls(std::shared_ptr<DetachedWork> work)
      : work_(std::move(work)), functions_(work_->functions_, 0, false) {
    const std::lock_guard lock(work_->mutex_);
    if (work_->closed_) throw cancelled_error();
    work_->all_.insert(this);
  }
  ~Calls() override {
    const std::lock_guard lock(work_->mutex_);
    work_->all_.erase(this);
  }

  std::shared_ptr<DetachedFunction> bind(const FuncName& function) override;
  Cancellation& cancellation() override { return cancellation_; }
  void cancel() override { cancellation_.cancel(); }
  std::string function_library() override {
    const Inside inside(*work_);
    return work_->functions_.library_bytes();
  }

 private:
  friend class DetachedWork::Function;
  const std::shared_ptr<DetachedWork> work_;
  StepCancellation cancellation_;
  StepFunctions functions_;
};

class DetachedWork::Function final : public DetachedFunction {
 public:
  Function(std::shared_ptr<Calls> calls, std::shared_ptr<BoundFunction> bound)
      : calls_(std::move(calls)), bound_(std::move(bound)) {}
  const std::vector<DType>& argument_types() const override { return bound_->argument_types(); }
  const std::vector<DType>& result_types() const override { return bound_->result_types(); }

  void call(std::span<Tensor> arguments, std::span<Tensor> results) override {
    const Inside inside(*calls_->work_);
    // Every call is a step to what it keeps by the step: tensor arrays, stacks.
    static std::atomic<std::int64_t> next_step{std::int64_t{1} << 40};
    ResourceStore step_resources(calls_->work_->resources_.default_container());
    StepContext step{.step_id = next_step.fetch_add(1, std::memory_order_relaxed),
                     .resources = &calls_->work_->resources_,
                     .step_resources = &step_resources,
                     .cancellation = &calls_->cancellation_,
                     .functions = &calls_->functions_};
    bound_->run(step, arguments, results);
  }

 private:
  const std::shared_ptr<Calls> calls_;
  const std::shared_ptr<BoundFunction> bound_;
};

std::shared_ptr<DetachedFunction> DetachedWork::Calls::bind(const FuncName& function) {
  const Inside inside(*work_);
  return std::make_shared<Function>(shared_from_this(), work_->functions_.bind(function));
}

std::shared_ptr<DetachedCalls> DetachedWork::detach() {
  return std::make_shared<Calls>(shared_from_this());
}

// What a cancellation wakes may come to this door, so it is not called with the door held.
void DetachedWork::close() {
  std::vector<std::shared_ptr<Calls>> all;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (Calls* calls : all_)
      if (auto alive = calls->weak_from_this().lock()) all.push_back(std::move(alive));
  }
  for (const auto& calls : all) calls->cancel();
}

void DetachedWork::wait() {
  std::unique_lock lock(mutex_);
  left_.wait(lock, [this] { return inside_ == 0; });
}

}  // namespace rill
