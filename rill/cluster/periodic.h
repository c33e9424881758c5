#pragma once

#include <chrono>
#include <functional>
#include <mutex>

#include "rill/base/scheduler.h"

namespace rill::cluster {

// How often tasks look for what nobody asks for any more.
inline constexpr std::chrono::minutes kForgettingPeriod{5};

// Does something again and again, on a thread of its own, until it ends. What it does throws
// nothing.
class Periodic {
 public:
  Periodic(std::chrono::nanoseconds period, std::function<void()> work);
  ~Periodic();
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

 private:
  void serve();

  const std::chrono::nanoseconds period_;
  const std::function<void()> work_;
  std::mutex mutex_;
  Condition changed_;
  bool stopping_ = false;
  Thread thread_;
};

}  // namespace rill::cluster
