#ifndef TENSORFLOW_CORE_LIB_CORE_NOTIFICATION_H_
#define TENSORFLOW_CORE_LIB_CORE_NOTIFICATION_H_

#include <chrono>

#include "tensorflow/core/platform/mutex.h"

namespace tensorflow {

// One event that others wait for.
class Notification {
 public:
  Notification() : notified_(false) {}
  void Notify() {
    ::tensorflow::mutex_lock l(mu_);
    notified_ = true;
    cv_.notify_all();
  }
  bool HasBeenNotified() const {
    ::tensorflow::mutex_lock l(mu_);
    return notified_;
  }
  void WaitForNotification() {
    ::tensorflow::mutex_lock l(mu_);
    while (!notified_) cv_.wait(l);
  }

 private:
  friend bool WaitForNotificationWithTimeout(Notification* n, int64 timeout_in_us);
  mutable mutex mu_;
  condition_variable cv_;
  bool notified_;
};

inline bool WaitForNotificationWithTimeout(Notification* n, int64 timeout_in_us) {
  const std::chrono::steady_clock::time_point end =
      std::chrono::steady_clock::now() + std::chrono::microseconds(timeout_in_us);
  ::tensorflow::mutex_lock l(n->mu_);
  while (!n->notified_) {
    const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
    if (now >= end) return false;
    n->cv_.wait_for(l, end - now);
  }
  return true;
}

}  // namespace tensorflow

#endif
