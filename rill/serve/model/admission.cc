#include "rill/serve/model/admission.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "rill/base/clock.h"
#include "rill/net/long_work.h"
#include "rill/serve/model/step_watch.h"

namespace rill::serve {
namespace {

constexpr std::int64_t kMilli = 1'000'000;
// Below that a step is over before anybody could take the thread's place.
constexpr std::int64_t kLongNanos = 200'000;
constexpr std::int64_t kNewShare = 8;  // the part of a mean that its latest value has

int running_of(int wanted) {
  return wanted > 0 ? wanted
                    : 4 * static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

class Admission::Runner : public StepRunner {
 public:
  Runner(std::shared_ptr<Admission> admission, LaneRef lane)
      : admission_(std::move(admission)), lane_(std::move(lane)) {}
  void run(const CompiledStepRef& step, std::vector<Tensor> feeds, const RequestLimits& limits,
           TensorsDone done) override {
    admission_->run(lane_, {step, std::move(feeds), limits, std::move(done)});
  }

 private:
  const std::shared_ptr<Admission> admission_;
  const LaneRef lane_;
};

Admission::Admission(const AdmissionOptions& options, std::shared_ptr<Metrics> metrics)
    : options_(options),
      max_running_(running_of(options.max_running)),
      metrics_(std::move(metrics)) {}

std::unique_ptr<StepRunner> Admission::runner(const ServableId& id) {
  return std::make_unique<Runner>(shared_from_this(), lane(id.name));
}

Admission::LaneRef Admission::lane(const std::string& name) {
  const std::lock_guard lock(mutex_);
  std::erase_if(lanes_, [](const auto& entry) { return entry.second.expired(); });
  if (const auto found = lanes_.find(name); found != lanes_.end())
    if (auto held = found->second.lock()) return held;
  auto made = std::make_shared<Lane>(name, metrics_ == nullptr ? nullptr : &metrics_->model(name));
  lanes_[name] = made;
  return made;
}

std::int64_t Admission::queued() const {
  const std::lock_guard lock(mutex_);
  return queued_;
}

// How long a request that comes now waits for its turn, with what is known of the models' steps:
// models that have something to do share the threads.
std::int64_t Admission::wait_nanos(const Lane& lane) const {
  int busy = 0;
  for (const auto& [name, entry] : lanes_)
    if (const auto other = entry.lock())
      if (other.get() == &lane || !other->tasks.empty()) ++busy;
  const auto before = static_cast<std::int64_t>(lane.tasks.size()) + 1;
  return lane.mean_nanos * before * std::max(1, busy) / max_running_;
}

void Admission::require_room(const Lane& lane, const RequestLimits& limits) {
  const auto refuse = [&](const auto&... why) {
    if (lane.metrics != nullptr) lane.metrics->refused.add();
    raise(Code::kUnavailable, "The model ", lane.name, " has more to do than it can: ", why...);
  };
  const auto waiting = static_cast<std::int64_t>(lane.tasks.size());
  if (queued_ >= options_.max_queued) refuse(queued_, " requests wait for all models");
  if (waiting >= options_.max_queued_of_model) refuse(waiting, " requests wait");
  const std::int64_t wait = wait_nanos(lane);
  const bool is_hopeless = limits.deadline_nanos != 0 &&
                           monotonic_nanos() + wait + lane.mean_nanos > limits.deadline_nanos;
  // As many as run may wait in any case: they are next.
  if (is_hopeless || (waiting >= max_running_ && wait > options_.max_wait_ms * kMilli))
    refuse("the answer would come in ", (wait + lane.mean_nanos) / kMilli, " ms");
}

void Admission::begin(Lane& lane) {
  ++running_;
  if (lane.running++ > 0 || !lane.tasks.empty()) return;
  // A model that had nothing to do does not make up for it.
  std::int64_t least = -1;
  for (const auto& [name, entry] : lanes_)
    if (const auto other = entry.lock();
        other != nullptr && other->running > 0 && other.get() != &lane)
      least = least < 0 ? other->served_nanos : std::min(least, other->served_nanos);
  lane.served_nanos = std::max(lane.served_nanos, least);
}

void Admission::end(Lane& lane, std::int64_t took_nanos, bool has_run_whole) {
  --running_;
  --lane.running;
  lane.served_nanos += took_nanos;
  // One that failed says no more than that others may take longer.
  if (!has_run_whole && took_nanos < lane.mean_nanos) return;
  lane.mean_nanos = lane.mean_nanos == 0
                        ? took_nanos
                        : lane.mean_nanos + (took_nanos - lane.mean_nanos) / kNewShare;
}

bool Admission::next(LaneRef* lane, Task* task) {
  if (queued_ == 0 || running_ >= max_running_) return false;
  LaneRef first;
  for (const auto& [name, entry] : lanes_)
    if (auto other = entry.lock(); other != nullptr && !other->tasks.empty())
      if (first == nullptr || other->served_nanos < first->served_nanos) first = std::move(other);
  if (first == nullptr) return false;
  *task = std::move(first->tasks.front());
  first->tasks.pop_front();
  --queued_;
  if (first->metrics != nullptr) first->metrics->queued.add(-1);
  begin(*first);
  *lane = std::move(first);
  return true;
}

void Admission::run(const LaneRef& given, Task task) {
  LaneRef lane = given;
  try {
    std::unique_lock lock(mutex_);
    if (running_ >= max_running_ && !task.limits.is_own) {
      task.limits.timeout_ms();
      require_room(*lane, task.limits);
      if (lane->metrics != nullptr) lane->metrics->queued.add(1);
      lane->tasks.push_back(std::move(task));
      ++queued_;
      return;
    }
    begin(*lane);
  } catch (...) {
    return task.done({}, current_error());
  }
  // Whoever has run a step goes on with what waits.
  for (bool is_first = true;; is_first = false) {
    run_one(lane, std::move(task), is_first);
    const std::lock_guard lock(mutex_);
    if (!next(&lane, &task)) return;
  }
}

void Admission::run_one(const LaneRef& lane, Task task, bool is_first) {
  std::int64_t mean = 0;
  {
    const std::lock_guard lock(mutex_);
    mean = lane->mean_nanos;
  }
  std::vector<Tensor> values;
  std::optional<Error> error;
  const std::int64_t begin = monotonic_nanos();
  bool has_run = false;
  try {
    const std::int64_t timeout_ms = task.limits.timeout_ms();
    has_run = true;
    const bool is_long = !is_first || mean == 0 || mean > kLongNanos;
    const auto run = [&] { values = task.step->callable(task.feeds, {.timeout_ms = timeout_ms}); };
    if (is_long) net::before_long_work();
    StepWatch::shared().run([&] { return is_unwanted(task.limits); }, run);
  } catch (...) {
    error = told_error(current_error(), task.limits);
    // The step's own time limit may end it a moment before the deadline is seen to have passed.
    const bool was_ended = error->code() == Code::kDeadlineExceeded || is_unwanted(task.limits);
    if (has_run && lane->metrics != nullptr && was_ended) lane->metrics->cancelled.add();
  }
  {
    const std::lock_guard lock(mutex_);
    end(*lane, monotonic_nanos() - begin, !error);
  }
  task.feeds.clear();
  task.done(std::move(values), std::move(error));
}

}  // namespace rill::serve
