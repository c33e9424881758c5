#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "rill/base/function_ref.h"

namespace rill {

// The worker threads of a session. The caller of parallel_for always takes part, so a pool of n
// threads has n - 1 workers; a pool of one runs everything inline. Workers spin briefly before they
// sleep, because waking a sleeping thread costs more than most steps.
class ThreadPool {
 public:
  explicit ThreadPool(int thread_count);
  ~ThreadPool();  // waits for what was scheduled
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int thread_count() const { return thread_count_; }

  // Runs `task`, which must not throw, on some worker, inline when there is none. Never blocks on
  // other tasks.
  void schedule(std::function<void()> task);

  // Calls body(begin, end) for consecutive ranges that cover [0, total), each at most `grain` long.
  // The ranges depend on total and grain alone, never on the number of threads. The first exception
  // is rethrown here after all running ranges have ended. May be nested.
  void parallel_for(std::size_t total, std::size_t grain,
                    FunctionRef<void(std::size_t, std::size_t)> body);

 private:
  struct Impl;
  const int thread_count_;
  std::unique_ptr<Impl> impl_;
};

// A small number that tells threads apart in traces, given in order of first use.
std::uint32_t thread_number();

// The process-wide pool, as wide as the machine; made on first use.
ThreadPool& shared_pool();

}  // namespace rill
