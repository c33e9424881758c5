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
  void require_room(const RequestLimits& limits) override {
    admission_->require_room(lane_, limits);
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
  if (const auto known = lane_options_.find(name); known != lane_options_.end())
    made->options = known->second;
  lanes_[name] = made;
  return made;
}

void Admission::configure(std::map<std::string, LaneOptions> models) {
  const std::lock_guard lock(mutex_);
  lane_options_ = std::move(models);
  for (const LaneRef& lane : lanes()) {
    const auto known = lane_options_.find(lane->name);
    lane->options = known == lane_options_.end() ? LaneOptions() : known->second;
  }
}

std::vector<Admission::LaneRef> Admission::lanes() const {
  std::vector<LaneRef> all;
  for (const auto& [name, entry] : lanes_)
    if (auto lane = entry.lock()) all.push_back(std::move(lane));
  return all;
}

std::int64_t Admission::queued() const {
  const std::lock_guard lock(mutex_);
  return queued_;
}

int Admission::most_of(const Lane& lane) const {
  const int own = lane.options.max_running;
  return own > 0 ? std::min(own, max_running_) : max_running_;
}

bool Admission::may_run(const Lane& lane) const {
  return running_ < max_running_ && lane.running < most_of(lane);
}

// How long a request that comes now waits for its turn, with what is known of the models' steps:
// those of higher priority go first, those of the same share the threads.
std::int64_t Admission::wait_nanos(const Lane& lane) const {
  int busy = 1;
  std::int64_t first = 0;
  for (const LaneRef& other : lanes()) {
    if (other.get() == &lane || other->tasks.empty()) continue;
    if (other->options.priority > lane.options.priority)
      first += other->mean_nanos * static_cast<std::int64_t>(other->tasks.size());
    else if (other->options.priority == lane.options.priority)
      ++busy;
  }
  const auto before = static_cast<std::int64_t>(lane.tasks.size()) + 1;
  return std::max((first + lane.mean_nanos * before * busy) / max_running_,
                  lane.mean_nanos * before / most_of(lane));
}

std::int64_t Admission::allowed_nanos(const Lane& lane) const {
  const std::int64_t most =
      (lane.options.max_wait_ms > 0 ? lane.options.max_wait_ms : options_.max_wait_ms) * kMilli;
  const bool is_standing =
      lane.waits_since != 0 && monotonic_nanos() - lane.waits_since > std::max(most, kMilli);
  return is_standing ? std::max(most / 8, 2 * lane.mean_nanos) : most;
}

// Why a request that comes now is not taken, but for a full queue of all models.
std::optional<Error> Admission::refusal(const Lane& lane, const RequestLimits& limits) const {
  const auto because = [&](const auto&... why) {
    return Error(Code::kUnavailable,
                 str_cat("The model ", lane.name, " has more to do than it can: ", why...));
  };
  const auto waiting = static_cast<std::int64_t>(lane.tasks.size());
  const std::int64_t most =
      lane.options.max_queued > 0 ? lane.options.max_queued : options_.max_queued_of_model;
  if (waiting >= most) return because(waiting, " requests wait");
  const std::int64_t wait = wait_nanos(lane);
  const bool is_hopeless = limits.deadline_nanos != 0 &&
                           monotonic_nanos() + wait + lane.mean_nanos > limits.deadline_nanos;
  // As many as run may wait in any case: they are next.
  if (is_hopeless || (waiting >= most_of(lane) && wait > allowed_nanos(lane)))
    return because("the answer would come in ", (wait + lane.mean_nanos) / kMilli, " ms");
  return std::nullopt;
}

void Admission::require_room(const LaneRef& lane, const RequestLimits& limits) {
  std::optional<Error> error;
  {
    const std::lock_guard lock(mutex_);
    if (may_run(*lane) || limits.is_own) return;
    error = refusal(*lane, limits);
  }
  if (!error) return;
  if (lane->metrics != nullptr) lane->metrics->refused.add();
  throw *error;
}

// The last that waits of the models with the lowest priority, if that is lower than this one's.
std::optional<Admission::Task> Admission::displaced(const Lane& lane, LaneRef* whose) {
  for (const LaneRef& other : lanes())
    if (!other->tasks.empty() && other->options.priority < lane.options.priority &&
        (*whose == nullptr || other->options.priority < (*whose)->options.priority))
      *whose = other;
  if (*whose == nullptr) return std::nullopt;
  Task task = std::move((*whose)->tasks.back());
  (*whose)->tasks.pop_back();
  if ((*whose)->tasks.empty()) (*whose)->waits_since = 0;
  if ((*whose)->metrics != nullptr) (*whose)->metrics->queued.add(-1);
  --queued_;
  return task;
}

void Admission::push(Lane& lane, Task task) {
  if (lane.metrics != nullptr) lane.metrics->queued.add(1);
  if (lane.tasks.empty()) lane.waits_since = monotonic_nanos();
  lane.tasks.push_back(std::move(task));
  ++queued_;
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
  const auto goes_before = [](const Lane& a, const Lane& b) {
    if (a.options.priority != b.options.priority) return a.options.priority > b.options.priority;
    return a.served_nanos < b.served_nanos;
  };
  for (LaneRef& other : lanes())
    if (!other->tasks.empty() && may_run(*other))
      if (first == nullptr || goes_before(*other, *first)) first = std::move(other);
  if (first == nullptr) return false;
  *task = std::move(first->tasks.front());
  first->tasks.pop_front();
  if (first->tasks.empty()) first->waits_since = 0;
  --queued_;
  if (first->metrics != nullptr) first->metrics->queued.add(-1);
  begin(*first);
  *lane = std::move(first);
  return true;
}

void Admission::run(const LaneRef& given, Task task) {
  LaneRef lane = given, other;
  std::optional<Task> loser;
  try {
    std::unique_lock lock(mutex_);
    if (!may_run(*lane) && !task.limits.is_own) {
      task.limits.timeout_ms();
      auto error = refusal(*lane, task.limits);
      if (!error && queued_ >= options_.max_queued && !(loser = displaced(*lane, &other)))
        error = Error(Code::kUnavailable,
                      str_cat("The model ", lane->name, " has more to do than it can: ", queued_,
                              " requests wait for all models"));
      if (!error) {
        push(*lane, std::move(task));
      } else if (lane->metrics != nullptr) {
        lane->metrics->refused.add();
      }
      lock.unlock();
      if (error) return task.done({}, std::move(error));
      if (!loser) return;
      if (other->metrics != nullptr) other->metrics->refused.add();
      return loser->done(
          {}, Error(Code::kUnavailable, str_cat("The model ", other->name,
                                                " has more to do than it can: others went first")));
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
  bool is_pressed = false;  // others wait: what comes too late is not worth a step
  {
    const std::lock_guard lock(mutex_);
    mean = lane->mean_nanos;
    is_pressed = queued_ > 0 && !task.limits.is_own;
  }
  std::vector<Tensor> values;
  std::optional<Error> error;
  const std::int64_t begin = monotonic_nanos();
  bool has_run = false;
  try {
    const std::int64_t timeout_ms = task.limits.timeout_ms();
    if (is_pressed && task.limits.deadline_nanos != 0 && begin + mean > task.limits.deadline_nanos)
      raise(Code::kUnavailable, "The model ", lane->name,
            " has more to do than it can: the answer would come too late");
    has_run = true;
    const bool is_long = !is_first || mean == 0 || mean > kLongNanos;
    const auto run = [&] { values = run_step(*task.step, task.feeds, timeout_ms); };
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
    end(*lane, monotonic_nanos() - begin, has_run && !error);
  }
  task.feeds.clear();
  task.done(std::move(values), std::move(error));
}

}  // namespace rill::serve
