#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "rill/kernel/kernel_registry.h"

namespace rill {

// One call of a kernel that may have to wait for something that other calls do. Nobody is blocked
// meanwhile: the waiter stands in a line of its WaitingRoom until somebody ends it.
class Waiter {
 public:
  Waiter(KernelCall& call, Done done) : call_(call), done_(std::move(done)) {}
  virtual ~Waiter() = default;
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  // What cancelling the step makes of this call.
  virtual const char* cancelled_text() const = 0;
  // Whether what it waits for is input of its step, which then waits for the input pipeline.
  virtual bool is_input() const { return false; }

 protected:
  // Gives the call its outputs; runs outside of every lock, only when nothing failed.
  virtual void deliver(KernelCall& /*call*/) {}

 private:
  friend class WaitingRoom;
  // Whoever comes second, the thread that made the waiter or the one that ended it, finishes the
  // call: so nothing of the step is used after its end.
  void arrive();

  KernelCall& call_;
  const Done done_;
  bool ended_ = false;  // under the room's lock
  std::exception_ptr error_;
  std::int64_t token_ = 0;
  std::int64_t begin_nanos_ = 0;  // of its wait; 0: it need not wait
  std::atomic<int> arrived_{0};
};

// Anything that kernels wait at. Those who derive from it keep lines of waiters, in the order in
// which they came, and say in serve() who can go on. Safe from several threads.
class WaitingRoom : public std::enable_shared_from_this<WaitingRoom> {
 public:
  virtual ~WaitingRoom() = default;

 protected:
  // Lets `join` put the waiter into a line, and serves; the call ends now or later.
  void wait(const std::shared_ptr<Waiter>& waiter, FunctionRef<void()> join);
  // Changes something, and serves.
  void change(FunctionRef<void()> what);

  // These are called with the lock held.
  virtual void serve() = 0;
  virtual void leave(Waiter& waiter) = 0;  // takes a waiter that gives up out of its line
  void end(const std::shared_ptr<Waiter>& waiter, std::exception_ptr error = nullptr);

  mutable std::mutex mutex_;

 private:
  void cancel(const std::shared_ptr<Waiter>& waiter);
  void finish_ended(std::unique_lock<std::mutex>& lock);

  std::vector<std::shared_ptr<Waiter>> ended_;  // not yet told
};

template <class... Part>
std::exception_ptr error_of(Code code, const Part&... part) {
  return std::make_exception_ptr(Error(code, str_cat(part...)));
}

}  // namespace rill
