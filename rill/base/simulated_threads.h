#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/base/scheduler.h"

namespace rill {

// A Scheduler whose threads take turns on the thread that made it. Which of them goes on is chance,
// and chance follows from the seed: the same seed is the same run. Time passes only while all of
// them wait. Each thread belongs to a simulated process, which can be stopped for a while.
//
//   SimulatedThreads threads(seed);
//   threads.start_in(1, [] { ... pause_for(1s); ... });
//   threads.run(60'000'000'000);
class SimulatedThreads final : public Scheduler {
 public:
  using Process = int;  // 0: of none, never paused

  explicit SimulatedThreads(std::uint64_t seed);
  ~SimulatedThreads() override;  // what still waits is not unwound
  SimulatedThreads(const SimulatedThreads&) = delete;
  SimulatedThreads& operator=(const SimulatedThreads&) = delete;

  ThreadId start_in(Process process, std::function<void()> work);
  void start_at(std::int64_t nanos, Process process, std::function<void()> work);
  Process process() const;  // of the thread that asks
  // Nothing of it goes on meanwhile; what became due goes on afterwards.
  void pause(Process process);
  void resume(Process process);

  // Until nothing is left to do, or until then. Throws what a thread threw.
  void run(std::int64_t until_nanos);
  std::size_t thread_count() const { return alive_; }  // begun and not ended
  std::size_t thread_count(Process process) const;
  std::size_t turns() const { return turns_; }

  // A number for all that has happened so far.
  std::uint64_t trace() const { return trace_; }
  void note(std::uint64_t what);

  std::uint64_t below(std::uint64_t bound);  // chance; `bound` is not 0
  bool happens(double probability);

  // What of a thread's own the code keeps in thread_local variables: swap() exchanges it with what
  // was there before.
  class Local {
   public:
    virtual ~Local() = default;
    virtual void swap() = 0;
  };
  void give_each_thread(std::function<std::unique_ptr<Local>()> make);

  std::int64_t now_nanos() const override { return now_; }
  std::uint64_t random_bits() override;
  ThreadId start(std::function<void()> work) override {
    return start_in(process(), std::move(work));
  }
  ThreadId current() const override;
  bool wait(const void* place, std::int64_t until_nanos) override;
  void notify(const void* place) override;

 private:
  struct Fiber;
  using When = std::pair<std::int64_t, std::uint64_t>;  // and which of that time
  struct Timer {
    Process process = 0;
    std::function<void()> work;  // or
    Fiber* waiting = nullptr;
  };

  Fiber& spare_fiber();
  void make_ready(Fiber& fiber);
  void wake(Fiber& fiber, bool was_notified);
  void fire();
  void enter(Fiber& fiber);
  void leave();  // to run()
  static void begin(unsigned high, unsigned low);

  std::uint64_t random_[4] = {};
  std::int64_t now_ = 1;  // 0 says that there is no limit
  std::uint64_t next_ = 1, trace_ = 0;
  std::size_t alive_ = 0, turns_ = 0;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> spare_, ready_;
  std::map<When, Timer> timers_;
  std::map<const void*, std::vector<Fiber*>> waiting_;
  std::map<Process, std::vector<Fiber*>> paused_;  // with what would go on
  std::vector<std::function<std::unique_ptr<Local>()>> locals_;
  Fiber* current_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace rill
