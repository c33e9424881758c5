#include "rill/ops/data/core/parallel_calls.h"

#include <algorithm>

#include "rill/base/clock.h"
#include "rill/base/thread_limit.h"

namespace rill {

ParallelCalls::ParallelCalls(PipelineRef pipeline, std::unique_ptr<DataIterator> input, Call call,
                             int width, bool in_order, bool calls_wait)
    : StageWork(std::move(pipeline)),
      call_(std::move(call)),
      width_(width),
      in_order_(in_order),
      calls_wait_(calls_wait),
      input_(std::move(input)) {}

StageResult ParallelCalls::made_of(StageResult pulled) const {
  if (pulled.error) return pulled;
  return result_of([&](Element& results) { return call_(pulled.element, results); });
}

void ParallelCalls::grow() {
  if (workers_ < width_ && has_room() && !cost_.is_below_hand_over()) add_worker();
}

std::deque<std::unique_ptr<ParallelCalls::Slot>>::iterator ParallelCalls::first_done() {
  if (in_order_) return !slots_.empty() && slots_.front()->done ? slots_.begin() : slots_.end();
  return std::ranges::find_if(slots_, [](const auto& slot) { return slot->done; });
}

bool ParallelCalls::take(Element& element) {
  StageResult result;
  Lock lock(mutex_);
  if (slots_.empty() && workers_ == 0 && cost_.is_below_hand_over() && !ended_) {
    if (!take_at_once(lock, result)) return false;
    lock.unlock();
    return result.hand_over(element);
  }
  if (slots_.size() <= static_cast<std::size_t>(width_)) grow();
  // Workers may have left because calls had become cheap.
  wait(lock, [this] {
    return first_done() != slots_.end() || (slots_.empty() && (ended_ || workers_ == 0));
  });
  const auto slot = first_done();
  if (slot == slots_.end()) {
    if (ended_ || !take_at_once(lock, result)) return false;
  } else {
    result = std::move((*slot)->result);
    slots_.erase(slot);
    if (slots_.size() <= static_cast<std::size_t>(width_)) grow();
  }
  lock.unlock();
  return result.hand_over(element);
}

// Without workers. False at the end of the input.
bool ParallelCalls::take_at_once(Lock& lock, StageResult& result) {
  lock.unlock();
  const std::int64_t begin = monotonic_nanos();
  StageResult pulled = next_result(*input_);
  if (!pulled.ended) result = made_of(std::move(pulled));
  lock.lock();
  cost_.note(begin);
  ended_ = pulled.ended;
  return !ended_;
}

void ParallelCalls::work(Lock& lock) {
  while (may_go_on() && has_room() && !cost_.is_below_hand_over()) {
    lock.unlock();
    std::unique_lock pulling(pulling_);
    lock.lock();
    if (!may_go_on() || !has_room()) return;  // `pulling` is let go after the lock's owner
    lock.unlock();
    const std::int64_t begin = monotonic_nanos();
    StageResult pulled = next_result(*input_);
    lock.lock();
    if (pulled.ended) {
      ended_ = true;
      changed_.notify_all();
      return;
    }
    slots_.push_back(std::make_unique<Slot>());
    Slot* slot = slots_.back().get();
    grow();
    lock.unlock();
    pulling.unlock();
    StageResult made;
    {
      const ThreadLimit limit(width_ >= default_threads() ? 1 : ThreadLimit::kNone);
      made = made_of(std::move(pulled));
    }
    lock.lock();
    cost_.note(begin);
    slot->result = std::move(made);
    slot->done = true;
    if (!in_order_ || slots_.front().get() == slot) changed_.notify_all();
  }
}

bool ParallelCalls::would_wait() const {
  const std::lock_guard lock(mutex_);
  if (!slots_.empty()) return !slots_.front()->done;
  if (workers_ > 0 || !cost_.is_below_hand_over()) return true;
  return calls_wait_ || input_->would_wait();
}

void ParallelCalls::save(StateWriter& state) {
  const Rest rest(*this);
  state.put("input", input_);
  state.put("ended", std::int64_t{ended_});
  state.put("results", static_cast<std::int64_t>(slots_.size()));
  for (std::size_t i = 0; i < slots_.size(); ++i) put_result(state, str_cat(i), slots_[i]->result);
}

void ParallelCalls::restore(const StateReader& state) {
  const Rest rest(*this);
  state.restore("input", *input_);
  ended_ = state.integer("ended") != 0;
  slots_.clear();
  const std::int64_t results = state.integer("results");
  for (std::int64_t i = 0; i < results; ++i)
    slots_.push_back(std::make_unique<Slot>(Slot{result_in(state, str_cat(i)), true}));
}

}  // namespace rill
