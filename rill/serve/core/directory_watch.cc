#include "rill/serve/core/directory_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "rill/base/file_system.h"
#include "rill/base/files.h"

namespace rill::serve {
namespace {

constexpr std::uint32_t kComing = IN_MOVED_TO | IN_CLOSE_WRITE;
constexpr std::uint32_t kGoing = IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF;

bool is_link(const std::string& path) {
  struct stat facts;
  return lstat(path.c_str(), &facts) == 0 && S_ISLNK(facts.st_mode);
}

}  // namespace

DirectoryWatch::DirectoryWatch()
    : events_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)),
      waker_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

DirectoryWatch::~DirectoryWatch() {
  if (events_ >= 0) close(events_);
  if (waker_ >= 0) close(waker_);
}

void DirectoryWatch::set(const std::set<std::string>& directories) {
  if (events_ < 0) return;
  const std::lock_guard lock(mutex_);
  std::map<std::string, int> now;
  std::set<int> used;
  for (const std::string& directory : directories) {
    if (!scheme_of(directory).empty()) continue;
    const int watch =
        inotify_add_watch(events_, directory.c_str(), kComing | kGoing | IN_CREATE | IN_ONLYDIR);
    if (watch < 0) continue;
    now[directory] = watch;
    used.insert(watch);
  }
  for (const auto& [directory, watch] : watches_)
    if (!used.contains(watch)) inotify_rm_watch(events_, watch);
  watches_ = std::move(now);
}

// Whether there was something to tell.
bool DirectoryWatch::take_events() {
  bool tells = false;
  alignas(inotify_event) char buffer[16 * 1024];
  const std::lock_guard lock(mutex_);
  while (true) {
    const ssize_t size = read(events_, buffer, sizeof(buffer));
    if (size <= 0) return tells;
    for (const char* at = buffer; at < buffer + size;) {
      inotify_event event;
      std::memcpy(&event, at, sizeof(event));
      const char* const name = at + sizeof(event);
      at += sizeof(event) + event.len;
      tells |= (event.mask & (kComing | kGoing | IN_Q_OVERFLOW)) != 0;
      if ((event.mask & IN_CREATE) == 0 || event.len == 0) continue;
      for (const auto& [directory, watch] : watches_)
        tells |= watch == event.wd && is_link(join_path(directory, name));
    }
  }
}

void DirectoryWatch::wait(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    pollfd files[] = {{waker_, POLLIN, 0}, {events_, POLLIN, 0}};
    const int wait = static_cast<int>(std::min<std::int64_t>(left.count() + 1, 1'000'000));
    if (poll(files, 2, wait) < 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::uint64_t woken = 0;
    if ((files[0].revents & POLLIN) != 0 && read(waker_, &woken, sizeof(woken)) > 0) return;
    if ((files[1].revents & POLLIN) != 0 && take_events()) return;
  }
}

void DirectoryWatch::wake() {
  const std::uint64_t one = 1;
  // It fails only when it is full, and then nobody sleeps.
  [[maybe_unused]] const ssize_t written = write(waker_, &one, sizeof(one));
}

}  // namespace rill::serve
