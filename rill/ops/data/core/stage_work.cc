#include "rill/ops/data/core/stage_work.h"

#include "rill/base/background.h"
#include "rill/base/clock.h"

namespace rill {
namespace {

constexpr std::int64_t kMaxWorkers = 1024;  // threads; more asked for are not started

constexpr std::int64_t kHandOverNanos = 4'000;  // about
constexpr std::int64_t kFirstElements = 16;     // so many are made before their cost is judged
constexpr std::int64_t kMaxTimes = 4;  // a thread that had to pause says little about the cost

}  // namespace

bool StageResult::hand_over(Element& to) {
  if (error) std::rethrow_exception(error);
  to = std::move(element);
  return !ended;
}

void ElementCost::note(std::int64_t begin_nanos) {
  std::int64_t nanos = monotonic_nanos() - begin_nanos;
  if (count_++ >= kFirstElements)
    nanos = std::min(nanos, kMaxTimes * (average_nanos_ + kHandOverNanos / 4));
  average_nanos_ = count_ == 1 ? nanos : average_nanos_ + (nanos - average_nanos_) / 8;
}

bool ElementCost::is_below_hand_over() const {
  return count_ >= kFirstElements && average_nanos_ < kHandOverNanos;
}

StageResult result_of(FunctionRef<bool(Element&)> make) {
  StageResult result;
  try {
    result.ended = !make(result.element);
  } catch (...) {
    result.element.clear();
    result.error = std::make_exception_ptr(current_error());
  }
  return result;
}

StageResult next_result(DataIterator& iterator) {
  return result_of([&](Element& element) { return iterator.next(element); });
}

void put_result(StateWriter& state, std::string_view key, const StageResult& result) {
  StateWriter parts = state.below(key);
  parts.put("ended", std::int64_t{result.ended});
  parts.put("element", result.element);
  if (!result.error) return;
  try {
    std::rethrow_exception(result.error);
  } catch (const Error& error) {
    parts.put("error", static_cast<std::int64_t>(error.code()));
    parts.put("message", error.message());
  }
}

StageResult result_in(const StateReader& state, std::string_view key) {
  const StateReader parts = state.below(key);
  StageResult result{parts.element("element"), parts.integer("ended") != 0, nullptr};
  if (parts.has("error"))
    result.error = std::make_exception_ptr(
        Error(static_cast<Code>(parts.integer("error")), parts.text("message")));
  return result;
}

void StageWork::add_worker() {
  ++workers_;
  run_in_background([self = shared_from_this()] {
    Lock lock(self->mutex_);
    self->work(lock);
    --self->workers_;
    self->changed_.notify_all();
  });
}

void StageWork::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

void StageWork::wake() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

StageWork::Rest::Rest(StageWork& work) : work_(work) {
  Lock lock(work_.mutex_);
  ++work_.resting_;
  work_.changed_.wait(lock, [&] { return work_.workers_ == 0; });
}

StageWork::Rest::~Rest() {
  const std::lock_guard lock(work_.mutex_);
  --work_.resting_;
}

int worker_count(std::int64_t asked_for, const Pipeline& pipeline) {
  if (asked_for == kAutotune) return pipeline.threads();
  return static_cast<int>(std::min(asked_for, kMaxWorkers));
}

}  // namespace rill
