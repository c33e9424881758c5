#include "rill/runtime/session/run_observer.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <mutex>
#include <unordered_map>

namespace rill {
namespace {

struct Observers {
  std::mutex mutex;
  std::unordered_map<const Session*, RunObserverRef> of_sessions;
  RunObserverRef of_main_thread;
};
Observers& observers() {
  static auto& all = *new Observers;
  return all;
}

struct OfThread {
  RunObserverRef next;
  int depth = 0;
};
OfThread& of_thread() {
  thread_local OfThread here;
  return here;
}

bool is_main_thread() {
  thread_local const bool is_main = syscall(SYS_gettid) == getpid();
  return is_main;
}

void count(bool was_there, bool is_there) {
  observer_count += static_cast<int>(is_there) - static_cast<int>(was_there);
}

}  // namespace

void observe_next_run(RunObserverRef observer) {
  count(of_thread().next != nullptr, observer != nullptr);
  of_thread().next = std::move(observer);
}

void observe_session(const Session& session, RunObserverRef observer) {
  const std::lock_guard lock(observers().mutex);
  const bool was_there = observers().of_sessions.erase(&session) > 0;
  count(was_there, observer != nullptr);
  if (observer != nullptr) observers().of_sessions.emplace(&session, std::move(observer));
}

void observe_main_thread(RunObserverRef observer) {
  const std::lock_guard lock(observers().mutex);
  count(observers().of_main_thread != nullptr, observer != nullptr);
  observers().of_main_thread = std::move(observer);
}

RunObserverRef observer_of(const Session& session) {
  OfThread& here = of_thread();
  if (here.depth > 0) return nullptr;
  if (here.next != nullptr) {
    RunObserverRef next = here.next;
    observe_next_run(nullptr);
    return next;
  }
  const std::lock_guard lock(observers().mutex);
  const auto it = observers().of_sessions.find(&session);
  if (it != observers().of_sessions.end()) return it->second;
  return is_main_thread() ? observers().of_main_thread : nullptr;
}

BeingObserved::BeingObserved() { ++of_thread().depth; }
BeingObserved::~BeingObserved() { --of_thread().depth; }

}  // namespace rill
