#include "rill/api/variables/new_variables.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace rill {
namespace {

constexpr std::size_t kMostWaiting = 16;

struct Waiting {
  std::mutex mutex;
  std::vector<std::function<bool()>> restores;
  std::atomic<bool> any{false};
};
Waiting& waiting() {
  static Waiting& all = *new Waiting;  // may hold objects of an interpreter that has ended
  return all;
}

}  // namespace

void await_variables(std::function<bool()> restore) {
  Waiting& all = waiting();
  const std::lock_guard lock(all.mutex);
  if (all.restores.size() >= kMostWaiting) all.restores.erase(all.restores.begin());
  all.restores.push_back(std::move(restore));
  all.any.store(true, std::memory_order_release);
}

// What restores may make variables: the list is nobody's while they are asked.
void notice_new_variables() {
  Waiting& all = waiting();
  if (!all.any.load(std::memory_order_acquire)) return;
  std::vector<std::function<bool()>> asked;
  {
    const std::lock_guard lock(all.mutex);
    asked.swap(all.restores);
    all.any.store(false, std::memory_order_release);
  }
  for (auto& restore : asked)
    if (!restore()) await_variables(std::move(restore));
}

}  // namespace rill
