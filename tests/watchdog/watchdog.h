#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace rill {

// Ends a program that takes longer than it may: prints what it was at and the stacks of all its
// threads to stderr, and aborts. A test that waits for ever thus fails and says where.
class Watchdog {
 public:
  Watchdog();
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void begin(const std::string& what, std::chrono::seconds limit);
  void end();  // of what was begun last

 private:
  void watch();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
  bool is_over_ = false;
  std::thread thread_;
};

// What a test of this name may take. RILL_TEST_SECONDS says otherwise for all of them.
std::chrono::seconds time_limit(const std::string& test_name);

}  // namespace rill
