#include "tests/watchdog/watchdog.h"

#include <dirent.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace rill {
namespace {

const int kShowStack = SIGRTMIN + 3;

// In the thread whose stack it is. Names come from the dynamic symbols; addr2line knows the rest.
void show_stack(int) {
  void* frames[64];
  const int count = backtrace(frames, 64);
  dprintf(STDERR_FILENO, "\nthread %ld:\n", syscall(SYS_gettid));
  backtrace_symbols_fd(frames, count, STDERR_FILENO);
}

// One after the other, so that they do not mix.
void show_stacks() {
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return;
  const long self = syscall(SYS_gettid);
  while (const dirent* task = readdir(tasks)) {
    const long id = std::atol(task->d_name);
    if (id <= 0 || id == self) continue;
    syscall(SYS_tgkill, getpid(), id, kShowStack);
    usleep(20'000);
  }
  closedir(tasks);
}

}  // namespace

Watchdog::Watchdog() {
  void* frame = nullptr;
  (void)backtrace(&frame, 1);  // loads what it needs, which a handler must not
  struct sigaction action {};
  action.sa_handler = show_stack;
  action.sa_flags = SA_RESTART;
  sigaction(kShowStack, &action, nullptr);
  thread_ = std::thread([this] { watch(); });
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::begin(const std::string& what, std::chrono::seconds limit) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  deadline_ = std::chrono::steady_clock::now() + limit;
  changed_.notify_all();
}

void Watchdog::end() {
  const std::lock_guard lock(mutex_);
  deadline_ = std::chrono::steady_clock::time_point::max();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    if (std::chrono::steady_clock::now() >= deadline_) break;
    // A deadline that is far away is looked at again: some clocks do not take the largest time.
    changed_.wait_for(lock, std::chrono::seconds(1));
  }
  if (is_over_) return;
  dprintf(STDERR_FILENO, "\n%s took longer than it may. What its threads do:\n", what_.c_str());
  show_stacks();
  std::abort();
}

std::chrono::seconds time_limit(const std::string& test_name) {
  if (const char* given = std::getenv("RILL_TEST_SECONDS"))
    return std::chrono::seconds(std::atol(given));
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int kSlower = 10;
#else
  constexpr int kSlower = 1;
#endif
  return kSlower * std::chrono::seconds(test_name.ends_with("_long") ? 7200 : 300);
}

}  // namespace rill
