#include "rill/api/train/waiting_runners.h"

#include <algorithm>

namespace rill::train {
namespace {

constexpr double kEndOfRunners = 1;  // seconds for the step that a queue runner is in

}  // namespace

bool only_queue_runners_wait(const Coordinator& coord, double timeout_secs) {
  const std::vector<ThreadRef> threads = coord.registered_threads();
  if (wait_for_end(threads, std::min(kEndOfRunners, timeout_secs))) return false;
  return std::ranges::all_of(threads, [](const ThreadRef& thread) {
    return !thread->is_alive() || thread->name().starts_with("QueueRunnerThread-");
  });
}

}  // namespace rill::train
