#include "rill/ops/io/reader_job.h"

namespace rill {
namespace {

// Set while this thread passes a turn on: who gets it is put here instead of being run from inside,
// so that a long line does not make a deep stack.
thread_local std::shared_ptr<ReaderJob>* next_in_line = nullptr;

}  // namespace

class ReaderTurn final : public Waiter {
 public:
  ReaderTurn(const std::shared_ptr<ReaderJob>& job)
      : Waiter(job->call_, [job](std::exception_ptr error) {
          if (error) return job->done_(std::move(error));
          if (next_in_line != nullptr)
            *next_in_line = job;
          else
            job->go_on();
        }) {}
  const char* cancelled_text() const override { return "Read operation was cancelled"; }
};

void ReaderJob::start() { reader_->enter(std::make_shared<ReaderTurn>(shared_from_this())); }

std::shared_ptr<ReaderJob> ReaderJob::pass_turn() const {
  std::shared_ptr<ReaderJob> next;
  next_in_line = &next;
  reader_->leave();
  next_in_line = nullptr;
  return next;
}

void ReaderJob::go_on() {
  for (auto job = shared_from_this(); job != nullptr;) {
    std::exception_ptr error;
    try {
      if (!job->advance()) return;
    } catch (...) {
      error = std::current_exception();
    }
    auto next = job->pass_turn();
    // Ending a call may run much of its step on this thread.
    if (next != nullptr && next->call_.device().pool().thread_count() > 1)
      std::exchange(next, nullptr)->resume();
    job->done_(std::move(error));
    job = std::move(next);
  }
}

void ReaderJob::resume() {
  call_.device().pool().schedule([self = shared_from_this()] { self->go_on(); });
}

}  // namespace rill
