#pragma once

#include <atomic>
#include <memory>

namespace rill {

// How often fork has made a child on the way to this process. What a thread of the parent was to do
// never happens in a child, and locks that it held stay locked: whoever owns threads remembers this
// number, and where it has changed waits for none of them.
int fork_count();

// The T of this process, made when it is first asked for; a child of fork makes its own. Never
// ends: threads that a program leaves running may use it to the last.
template <class T>
T& of_this_process() {
  struct Made {
    const int after = fork_count();
    T it;
  };
  static std::atomic<Made*> latest{nullptr};
  Made* known = latest.load(std::memory_order_acquire);
  while (known == nullptr || known->after != fork_count()) {
    auto made = std::make_unique<Made>();
    if (latest.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel))
      known = made.release();
  }
  return known->it;
}

}  // namespace rill
