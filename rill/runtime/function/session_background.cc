#include "rill/runtime/function/session_background.h"

#include <chrono>
#include <thread>

#include "rill/base/background.h"
#include "rill/runtime/executor/node_runner.h"
#include "rill/runtime/memory/resource_store.h"

namespace rill {
namespace {

struct AllWork {
  std::mutex mutex;
  std::set<SessionBackground*> works;
};
AllWork& all_work() {
  static AllWork& all = *new AllWork;  // outlives sessions in static storage
  return all;
}

constexpr int kPatience = 400;  // times five milliseconds

}  // namespace

class SessionBackground::Inside {
 public:
  Inside(SessionBackground& work, std::int64_t forbidden) : work_(work) {
    if ((work_.calls_inside_.fetch_add(1, std::memory_order_acq_rel) & forbidden) == 0) return;
    leave();
    throw cancelled_error();
  }
  ~Inside() { leave(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  // Nothing of the work may be used afterwards, but it is kept by those who call.
  void leave() {
    if (work_.calls_inside_.fetch_sub(1, std::memory_order_acq_rel) - 1 != kClosed) return;
    const std::lock_guard lock(work_.mutex_);
    work_.left_.notify_all();
  }
  SessionBackground& work_;
};

class SessionBackground::Calls final : public BackgroundCalls,
                                       public std::enable_shared_from_this<Calls> {
 public:
  explicit Calls(std::shared_ptr<SessionBackground> work)
      : work_(std::move(work)),
        kernels_(work_->functions_.functions().kernels().registry(),
                 work_->functions_.functions().kernels().devices()),
        own_(work_->functions_.functions().with(kernels_)),
        functions_(work_->functions_, 0, false, own_.get()),
        forbidden_(kClosed | kGone) {
    const Inside inside(*work_, forbidden_);
    const std::lock_guard lock(work_->mutex_);
    work_->all_.insert(this);
  }
  // For last calls: the session stays as long as this.
  Calls(std::shared_ptr<SessionBackground> work, std::unique_ptr<Inside> inside)
      : work_(std::move(work)),
        kernels_(work_->functions_.functions().kernels().registry(),
                 work_->functions_.functions().kernels().devices()),
        functions_(work_->functions_, 0, false),
        forbidden_(kGone),
        stays_(std::move(inside)) {}
  ~Calls() override {
    const std::lock_guard lock(work_->mutex_);
    work_->all_.erase(this);
  }

  std::shared_ptr<BackgroundFunction> bind(const FuncName& function) override;
  Cancellation& cancellation() override { return cancellation_; }
  void cancel() override { cancellation_.cancel(); }
  std::string function_library() override {
    const Inside inside(*work_, forbidden_);
    return work_->functions_.functions().library_bytes();
  }
  std::shared_ptr<BackgroundCalls> last_calls() override {
    return std::make_shared<Calls>(work_, std::make_unique<Inside>(*work_, kGone));
  }
  void let_go() {
    if (own_ != nullptr) own_->let_go();
  }

 private:
  friend class SessionBackground::Function;
  const std::shared_ptr<SessionBackground> work_;
  StepCancellation cancellation_;
  // State of kernels inside of functions is that of one piece of work: random numbers begin anew
  // with it.
  KernelCache kernels_;
  const std::unique_ptr<FunctionTable> own_;
  StepFunctions functions_;
  const std::int64_t forbidden_;
  const std::unique_ptr<Inside> stays_;
};

class SessionBackground::Function final : public BackgroundFunction {
 public:
  Function(std::shared_ptr<Calls> calls, std::shared_ptr<PlanFunction> bound)
      : calls_(std::move(calls)), bound_(std::move(bound)), waits_(bound_->waits()) {}
  const std::vector<DType>& argument_types() const override { return bound_->argument_types(); }
  const std::vector<DType>& result_types() const override { return bound_->result_types(); }
  bool may_block() const override { return waits_; }

  void call(std::span<Tensor> arguments, std::span<Tensor> results) override {
    const Inside inside(*calls_->work_, calls_->forbidden_);
    // Every call is a step to what it keeps by the step: tensor arrays, stacks.
    static std::atomic<std::int64_t> next_step{std::int64_t{1} << 40};
    StepContext step{.step_id = next_step.fetch_add(1, std::memory_order_relaxed),
                     .resources = &calls_->work_->resources_,
                     .cancellation = &calls_->cancellation_,
                     .functions = &calls_->functions_};
    bound_->run_as_step(step, arguments, results);
  }

 private:
  const std::shared_ptr<Calls> calls_;
  const std::shared_ptr<PlanFunction> bound_;
  const bool waits_;
};

std::shared_ptr<BackgroundFunction> SessionBackground::Calls::bind(const FuncName& function) {
  const Inside inside(*work_, forbidden_);
  return std::make_shared<Function>(shared_from_this(), functions_.bind_plan(function));
}

SessionBackground::SessionBackground(FunctionRuntime& functions, ResourceManager& resources)
    : functions_(functions), resources_(resources) {
  const std::lock_guard lock(all_work().mutex);
  all_work().works.insert(this);
}

SessionBackground::~SessionBackground() {
  const std::lock_guard lock(all_work().mutex);
  all_work().works.erase(this);
}

void end_background_calls() {
  std::vector<std::shared_ptr<SessionBackground>> works;
  {
    const std::lock_guard lock(all_work().mutex);
    for (SessionBackground* work : all_work().works)
      if (work->is_of_this_process())
        if (auto alive = work->weak_from_this().lock()) works.push_back(std::move(alive));
  }
  for (const auto& work : works) work->close();
  for (int i = 0; i < kPatience && background_tasks() > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

std::shared_ptr<BackgroundCalls> SessionBackground::make_background_calls() {
  return std::make_shared<Calls>(shared_from_this());
}

// What a cancellation wakes may call back into this object, so it is not called with the lock held.
void SessionBackground::close() {
  std::vector<std::shared_ptr<Calls>> all;
  {
    const std::lock_guard lock(mutex_);
    calls_inside_.fetch_or(kClosed, std::memory_order_acq_rel);
    for (Calls* calls : all_)
      if (auto alive = calls->weak_from_this().lock()) all.push_back(std::move(alive));
  }
  for (const auto& calls : all) calls->cancel();
}

void SessionBackground::wait() {
  std::unique_lock lock(mutex_);
  left_.wait(lock, [this] {
    std::int64_t nobody = kClosed;
    return calls_inside_.compare_exchange_strong(nobody, kClosed | kGone,
                                                 std::memory_order_acq_rel);
  });
  for (Calls* calls : all_) calls->let_go();  // kernels go before what they run on
}

}  // namespace rill
