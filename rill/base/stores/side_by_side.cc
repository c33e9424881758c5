#include "rill/base/stores/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>

#include "rill/base/background.h"
#include "rill/base/blocking.h"

namespace rill::stores {
namespace {

struct SharedWork {
  std::function<void(std::size_t)> work_on;
  std::size_t count;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::condition_variable idle;
  int running = 0;
  std::exception_ptr failure;

  void run() noexcept {
    for (std::size_t i; (i = next++) < count;) {
      try {
        work_on(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  }
};

}  // namespace

void side_by_side(std::size_t count, std::function<void(std::size_t)> work_on) {
  const auto work = std::make_shared<SharedWork>();
  work->work_on = std::move(work_on);
  work->count = count;
  const int helpers = static_cast<int>(std::min<std::size_t>(count, kRequestsAtOnce)) - 1;
  for (int i = 0; i < helpers; ++i) {
    {
      const std::lock_guard lock(work->mutex);
      ++work->running;
    }
    run_in_background([work] {
      work->run();
      const std::lock_guard lock(work->mutex);
      if (--work->running == 0) work->idle.notify_all();
    });
  }
  const Blocking others_run;
  work->run();
  std::unique_lock lock(work->mutex);
  work->idle.wait(lock, [&] { return work->running == 0; });
  if (work->failure) std::rethrow_exception(work->failure);
}

}  // namespace rill::stores
