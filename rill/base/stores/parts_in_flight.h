#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

namespace rill::stores {

// Parts of an upload that are on their way, four at once, each on a thread of its own.
class PartsInFlight {
 public:
  PartsInFlight() = default;
  ~PartsInFlight() { wait_until(0); }
  PartsInFlight(const PartsInFlight&) = delete;
  PartsInFlight& operator=(const PartsInFlight&) = delete;

  // Waits while there are enough, then sends this one. Throws what an earlier one failed with.
  void add(std::function<void()> send);
  // Waits for all; throws what the first one failed with.
  void finish();
  void wait() { wait_until(0); }

 private:
  void wait_until(int running);
  void rethrow();

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  int running_ = 0;
  std::exception_ptr failure_;
};

}  // namespace rill::stores
