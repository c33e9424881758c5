#include "rill/cluster/periodic.h"

namespace rill::cluster {

Periodic::Periodic(std::chrono::nanoseconds period, std::function<void()> work)
    : period_(period), work_(std::move(work)), thread_([this] { serve(); }) {}

Periodic::~Periodic() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void Periodic::serve() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, period_, [this] { return stopping_; })) {
    lock.unlock();
    work_();
    lock.lock();
  }
}

}  // namespace rill::cluster
