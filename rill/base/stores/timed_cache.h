#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "rill/base/clock.h"

namespace rill::stores {

// What a server has answered lately, for so long and so many answers; with an age of 0 nothing is
// kept. Safe from several threads.
template <class Answer>
class TimedCache {
 public:
  TimedCache(std::int64_t max_nanos, std::size_t max_count)
      : max_nanos_(max_nanos), max_count_(max_count) {}

  template <class Ask>
  Answer get(const std::string& key, Ask ask) {
    if (max_nanos_ <= 0) return ask();
    {
      const std::lock_guard lock(mutex_);
      const auto found = kept_.find(key);
      if (found != kept_.end() && monotonic_nanos() - found->second.nanos < max_nanos_)
        return found->second.answer;
    }
    Answer answer = ask();
    const std::lock_guard lock(mutex_);
    if (kept_.size() >= max_count_) kept_.clear();
    kept_.insert_or_assign(key, Kept{answer, monotonic_nanos()});
    return answer;
  }

  // This process has changed something.
  void clear() {
    if (max_nanos_ <= 0) return;
    const std::lock_guard lock(mutex_);
    kept_.clear();
  }

 private:
  struct Kept {
    Answer answer;
    std::int64_t nanos;
  };
  const std::int64_t max_nanos_;
  const std::size_t max_count_;
  std::mutex mutex_;
  std::map<std::string, Kept> kept_;
};

}  // namespace rill::stores
