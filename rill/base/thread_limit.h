#pragma once

#include <algorithm>
#include <limits>

namespace rill {

// While there is one, a ThreadPool shares what this thread gives it out to so many threads at most,
// this one among them: for work of which several pieces run side by side.
class ThreadLimit {
 public:
  static constexpr int kNone = std::numeric_limits<int>::max();

  explicit ThreadLimit(int most) : before_(now_) { now_ = std::min(now_, most); }
  ~ThreadLimit() { now_ = before_; }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

  static int now() { return now_; }

 private:
  static thread_local int now_;
  const int before_;
};

}  // namespace rill
