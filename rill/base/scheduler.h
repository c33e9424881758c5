#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace rill {

// What stands in for the machine's clock, threads and chance on one thread: a simulation, which
// lets code that waits for other threads run there alone, again in the same way.
class Scheduler {
 public:
  using ThreadId = std::uint64_t;  // not 0

  // Of this thread; null where the machine's own are used, which is everywhere but in simulations.
  static Scheduler* here() {
    Scheduler* const scheduler = current_.load(std::memory_order_acquire);
    return scheduler != nullptr && owner_ == std::this_thread::get_id() ? scheduler : nullptr;
  }

  virtual std::int64_t now_nanos() const = 0;
  virtual std::uint64_t random_bits() = 0;
  virtual ThreadId start(std::function<void()> work) = 0;  // as a thread of its own
  virtual ThreadId current() const = 0;
  // Until somebody notifies `place`, or until a time, if one is given: false then.
  virtual bool wait(const void* place, std::int64_t until_nanos) = 0;
  virtual void notify(const void* place) = 0;  // all who wait there

 protected:
  Scheduler() = default;
  virtual ~Scheduler() = default;
  void take_over();  // this thread; there is one at a time
  void give_back();

 private:
  static std::atomic<Scheduler*> current_;
  static std::thread::id owner_;
};

// A condition variable that a Scheduler can stand in for. Used as std::condition_variable is.
class Condition {
 public:
  using Lock = std::unique_lock<std::mutex>;

  void notify_one();
  void notify_all();
  void wait(Lock& lock);
  template <class Until>
  void wait(Lock& lock, Until until) {
    while (!until()) wait(lock);
  }
  std::cv_status wait_for(Lock& lock, std::chrono::nanoseconds time);
  // False where `until` does not hold after so long.
  template <class Until>
  bool wait_for(Lock& lock, std::chrono::nanoseconds time, Until until) {
    const std::int64_t end = end_of(time);
    while (!until())
      if (wait_until(lock, end) == std::cv_status::timeout) return until();
    return true;
  }

 private:
  static std::int64_t end_of(std::chrono::nanoseconds time);  // of monotonic_nanos()
  std::cv_status wait_until(Lock& lock, std::int64_t nanos);

  std::condition_variable changed_;
};

// A mutex whose owner may wait for other threads meanwhile.
class LongMutex {
 public:
  void lock();
  void unlock();

 private:
  std::mutex mutex_;
  Condition free_;
  bool is_held_ = false;
};

// A thread that a Scheduler can stand in for. Joined before it is destroyed.
class Thread {
 public:
  Thread() = default;
  explicit Thread(std::function<void()> work);

  void join();
  bool is_this() const;  // whether it is the one that asks

 private:
  struct Simulated;
  std::thread thread_;
  std::shared_ptr<Simulated> simulated_;
};

// Lets the thread sleep.
void pause_for(std::chrono::nanoseconds time);

}  // namespace rill
