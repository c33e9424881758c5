#ifndef TENSORFLOW_CORE_LIB_CORE_BLOCKING_COUNTER_H_
#define TENSORFLOW_CORE_LIB_CORE_BLOCKING_COUNTER_H_

#include "tensorflow/core/platform/mutex.h"

namespace tensorflow {

// Waits until something has happened `initial_count` times.
class BlockingCounter {
 public:
  explicit BlockingCounter(int initial_count) : left_(initial_count) {}
  void DecrementCount() {
    ::tensorflow::mutex_lock l(mu_);
    if (--left_ <= 0) cv_.notify_all();
  }
  void Wait() {
    ::tensorflow::mutex_lock l(mu_);
    while (left_ > 0) cv_.wait(l);
  }

 private:
  mutex mu_;
  condition_variable cv_;
  int left_;
};

}  // namespace tensorflow

#endif
