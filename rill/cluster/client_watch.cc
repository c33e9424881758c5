#include "rill/cluster/client_watch.h"

#include <chrono>
#include <utility>
#include <vector>

namespace rill::cluster {

ClientWatch::ClientWatch() : thread_([this] { look(); }) {}

ClientWatch::~ClientWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::int64_t ClientWatch::add(std::function<bool()> is_gone, std::function<void()> then) {
  const std::lock_guard lock(mutex_);
  watched_.emplace(next_, Watched{std::move(is_gone), std::move(then)});
  if (std::exchange(sleeps_, false)) changed_.notify_all();
  return next_++;
}

void ClientWatch::forget(std::int64_t id) {
  std::unique_lock lock(mutex_);
  watched_.erase(id);
  if (current_ != id || thread_.is_this()) return;
  ++forgetting_;
  changed_.wait(lock, [&] { return current_ != id; });
  --forgetting_;
}

// Somebody comes and goes with each step: it falls asleep only when nobody has come for a while.
void ClientWatch::look() {
  constexpr std::chrono::milliseconds kPause{100};
  constexpr int kIdleLooks = 20;
  std::unique_lock lock(mutex_);
  std::int64_t last = 0;
  for (int idle = 0; !stopping_;) {
    idle = watched_.empty() && last == next_ ? idle + 1 : 0;
    last = next_;
    if (idle > kIdleLooks) {
      idle = 0;
      sleeps_ = true;
      changed_.wait(lock, [this] { return stopping_ || !sleeps_; });
      continue;
    }
    changed_.wait_for(lock, kPause, [this] { return stopping_; });
    std::vector<std::int64_t> ids;
    for (const auto& [id, watched] : watched_) ids.push_back(id);
    for (const std::int64_t id : ids) {
      const auto it = watched_.find(id);
      if (it == watched_.end() || stopping_) continue;
      Watched watched = it->second;
      current_ = id;
      lock.unlock();
      const bool is_gone = watched.is_gone();
      if (is_gone) watched.then();
      watched = {};  // what it holds may end here
      lock.lock();
      current_ = 0;
      if (is_gone) watched_.erase(id);
      if (forgetting_ > 0) changed_.notify_all();
    }
  }
}

}  // namespace rill::cluster
