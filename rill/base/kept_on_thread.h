#pragma once

namespace rill {

// While there is one, what this thread would share out to a ThreadPool it does itself: for work of
// which as many pieces run side by side as there are CPUs.
class KeptOnThread {
 public:
  explicit KeptOnThread(bool kept) : before_(now_) { now_ = now_ || kept; }
  ~KeptOnThread() { now_ = before_; }
  KeptOnThread(const KeptOnThread&) = delete;
  KeptOnThread& operator=(const KeptOnThread&) = delete;

  static bool now() { return now_; }

 private:
  static thread_local bool now_;
  const bool before_;
};

}  // namespace rill
