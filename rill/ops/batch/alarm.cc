#include "rill/ops/batch/alarm.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "rill/base/clock.h"

namespace rill {
namespace {

// One thread for the process, which sleeps until the next alarm.
class Alarms {
 public:
  Alarms() {
    std::thread([this] { run(); }).detach();
  }

  void add(std::int64_t at, std::function<void()> ring) {
    const std::lock_guard lock(mutex_);
    alarms_.emplace(at, std::move(ring));
    changed_.notify_one();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      if (alarms_.empty()) {
        changed_.wait(lock);
        continue;
      }
      const std::int64_t left = alarms_.begin()->first - monotonic_nanos();
      if (left > 0) {
        changed_.wait_for(lock, std::chrono::nanoseconds(left));
        continue;
      }
      const auto due = alarms_.extract(alarms_.begin());
      lock.unlock();
      due.mapped()();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<std::int64_t, std::function<void()>> alarms_;
};

}  // namespace

void ring_after(std::int64_t nanos, std::function<void()> ring) {
  static Alarms& alarms = *new Alarms;  // its thread outlives static storage
  alarms.add(monotonic_nanos() + nanos, std::move(ring));
}

}  // namespace rill
