#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/base/error.h"

namespace rill::train {

// A thread that a coordinator waits for; of another language, too.
class CoordinatedThread {
 public:
  virtual ~CoordinatedThread() = default;
  virtual bool is_alive() const = 0;
  virtual bool is_started() const { return true; }  // also after its end
  virtual std::string name() const = 0;
  virtual void abandon() {}  // nobody will wait for it any more
  // Two objects for one thread have the same.
  virtual const void* identity() const { return this; }
};

// A thread of C++. The work must not outlive what it uses: join() before that goes away, or let the
// coordinator do it. What the work throws is logged and ends the thread, not the process.
class WorkThread : public CoordinatedThread {
 public:
  WorkThread(std::string name, std::function<void()> work);
  WorkThread(const WorkThread&) = delete;
  WorkThread& operator=(const WorkThread&) = delete;
  ~WorkThread() override;  // waits for the end of the work, unless it was abandoned

  void start();  // throws FailedPrecondition the second time
  void join();
  void abandon() override;  // it runs on alone
  bool is_alive() const override;
  bool is_started() const override;
  std::string name() const override { return name_; }

 private:
  struct State;
  std::string name_;
  std::function<void()> work_;
  std::shared_ptr<State> state_;  // which the thread shares
  struct Handle;
  std::shared_ptr<Handle> thread_;
};
using ThreadRef = std::shared_ptr<CoordinatedThread>;
// Waits until all of them have ended; false where some still run after that time.
bool wait_for_end(const std::vector<ThreadRef>& threads, double timeout_secs);
// How long threads may take to notice that their session was closed.
inline constexpr double kEndAfterClose = 10;

struct CoordinatorOptions {
  // Errors that stop the threads without being thrown by join().
  std::vector<Code> clean_stop_codes = {Code::kOutOfRange};
};
// stop_grace_period_secs: how long threads may take to end after the stop was requested.
struct JoinOptions {
  double stop_grace_period_secs = 120;
  bool ignore_live_threads = false;  // false: throws FailedPrecondition naming them
};

// Lets several threads stop together: the first one that fails or is done stops the others. Safe
// from all of them.
//
//   Coordinator coord;
//   auto threads = start_queue_runners(session, &coord);
//   while (!coord.should_stop()) coord.stop_on_exception([&] { session.run(train_op); });
//   coord.join();  // throws what a thread failed with
class Coordinator {
 public:
  explicit Coordinator(CoordinatorOptions options = {});
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  // The first error is kept for join(); later requests change nothing. An error of clean_stop_codes
  // is as none. Throws it at once where join() is over, since nobody else would.
  void request_stop(std::exception_ptr error = nullptr);
  // Forgets the request, its error and that join() was called, so that the object can serve again.
  void clear_stop();
  bool should_stop() const;
  // Whether a stop was requested before the time was over; none: waits for ever.
  bool wait_for_stop(std::optional<double> timeout_secs = {});
  // Runs `work`; what it throws is a request to stop and goes no further.
  void stop_on_exception(const std::function<void()>& work);

  // Threads that join() waits for, though its caller does not know them.
  void register_thread(ThreadRef thread);
  std::vector<ThreadRef> registered_threads() const { return all_threads({}); }
  // Waits for these threads and the registered ones: first for one of them to request a stop, or
  // for all to end, then no longer than the grace period. A thread may join those that are still
  // being started beside it: one that is not started has a second for that. Throws the error of the
  // request; where there is none and threads still run, Misuse with FailedPrecondition. Those are
  // abandoned either way.
  void join(const std::vector<ThreadRef>& threads = {}, const JoinOptions& options = {});
  // As start_queue_runners gives them.
  template <std::derived_from<CoordinatedThread> Thread>
  requires(!std::same_as<Thread, CoordinatedThread>) void join(
      const std::vector<std::shared_ptr<Thread>>& threads, const JoinOptions& options = {}) {
    join(std::vector<ThreadRef>(threads.begin(), threads.end()), options);
  }
  bool joined() const;
  void raise_requested_exception() const;  // does nothing where there is none

 private:
  bool is_clean(const std::exception_ptr& error) const;
  std::vector<ThreadRef> all_threads(const std::vector<ThreadRef>& more) const;

  const CoordinatorOptions options_;
  struct Stop;  // what threads wait for
  const std::shared_ptr<Stop> stop_;
  bool stop_requested_ = false, joined_ = false;
  std::exception_ptr error_;
  std::vector<ThreadRef> registered_;
};

// Calls `work` again and again, every `interval_secs` or, where that is none, without a pause,
// until the coordinator stops. What `work` throws stops the coordinator. Intervals are counted from
// the start, so that slow work does not shift later calls.
class LooperThread : public WorkThread {
 public:
  LooperThread(Coordinator& coord, std::optional<double> interval_secs, std::function<void()> work);
  // A started one, registered with the coordinator.
  static std::shared_ptr<LooperThread> loop(Coordinator& coord, std::optional<double> interval_secs,
                                            std::function<void()> work);
};

}  // namespace rill::train
