#pragma once

namespace rill {

// While it lives, oneDNN runs on the calling thread only: our own pool splits the work, by shape
// alone. The caller's OpenMP setting comes back afterwards.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

}  // namespace rill
