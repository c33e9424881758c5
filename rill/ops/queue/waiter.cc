#include "rill/ops/queue/waiter.h"

#include "rill/base/clock.h"
#include "rill/base/process_figures.h"

namespace rill {

void Waiter::arrive() {
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) == 0) return;
  if (begin_nanos_ != 0) {
    ProcessFigures& figures = process_figures();
    (is_input() ? figures.input_waits : figures.queue_waits).add(monotonic_nanos() - begin_nanos_);
  }
  if (token_ != 0) call_.step().cancellation->forget(token_);
  if (!error_) {
    try {
      deliver(call_);
    } catch (...) {
      error_ = std::current_exception();
    }
  }
  done_(error_);
}

void WaitingRoom::wait(const std::shared_ptr<Waiter>& waiter, FunctionRef<void()> join) {
  std::unique_lock lock(mutex_);
  join();
  serve();
  const bool waits = !waiter->ended_;
  finish_ended(lock);
  if (waits) {
    waiter->begin_nanos_ = monotonic_nanos();
    waiter->token_ = waiter->call_.step().cancellation->on_cancel(
        [self = shared_from_this(), waiter] { self->cancel(waiter); });
  }
  waiter->arrive();
}

void WaitingRoom::change(FunctionRef<void()> what) {
  std::unique_lock lock(mutex_);
  what();
  serve();
  finish_ended(lock);
}

void WaitingRoom::end(const std::shared_ptr<Waiter>& waiter, std::exception_ptr error) {
  waiter->ended_ = true;
  waiter->error_ = std::move(error);
  ended_.push_back(waiter);
}

void WaitingRoom::cancel(const std::shared_ptr<Waiter>& waiter) {
  std::unique_lock lock(mutex_);
  if (waiter->ended_) return;
  leave(*waiter);
  end(waiter, error_of(Code::kCancelled, waiter->cancelled_text()));
  serve();
  finish_ended(lock);
}

void WaitingRoom::finish_ended(std::unique_lock<std::mutex>& lock) {
  if (ended_.empty()) return lock.unlock();
  const auto ended = std::move(ended_);
  ended_.clear();
  lock.unlock();
  for (const auto& waiter : ended) waiter->arrive();
}

}  // namespace rill
