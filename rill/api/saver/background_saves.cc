#include "rill/api/saver/background_saves.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "rill/base/background.h"
#include "rill/base/durable_files.h"
#include "rill/base/error.h"
#include "rill/base/forks.h"
#include "rill/base/log.h"

namespace rill::train {
namespace {

thread_local int asking = 0;

std::atomic<bool>& wanted_background() {
  static std::atomic<bool> wanted = [] {
    const char* text = std::getenv("RILL_FSYNC");
    return text == nullptr || std::string_view(text) != "wait";
  }();
  return wanted;
}

}  // namespace

struct RestOfSave::State {
  explicit State(std::string given) : directory(std::move(given)) {}
  const std::string directory;
  std::mutex mutex;
  std::condition_variable ended;
  bool is_over = false, has_failed = false;  // guarded by mutex
  std::exception_ptr error;                  // guarded by mutex; nobody was told of it yet

  void run(std::function<void()> work) {
    std::exception_ptr thrown;
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
    work = nullptr;  // what it held is free when others go on
    const std::lock_guard lock(mutex);
    is_over = true;
    has_failed = thrown != nullptr;
    error = thrown;
    ended.notify_all();
  }
  void await() {
    std::unique_lock lock(mutex);
    ended.wait(lock, [this] { return is_over; });
  }
  std::exception_ptr take_error() {
    const std::lock_guard lock(mutex);
    return std::exchange(error, nullptr);
  }
};

namespace {

using StateRef = std::shared_ptr<RestOfSave::State>;

// Those that are not over, or have an error to tell. A child of fork has none: its parent's threads
// do them.
class Unfinished {
 public:
  Unfinished() {
    std::atexit([] {
      for (const StateRef& state : of_this_process<Unfinished>().of(nullptr)) state->await();
    });
  }
  void add(StateRef state) {
    const std::lock_guard lock(mutex_);
    states_.push_back(std::move(state));
  }
  void remove(const StateRef& state) {
    const std::lock_guard lock(mutex_);
    std::erase(states_, state);
  }
  bool has(const StateRef& state) {
    const std::lock_guard lock(mutex_);
    return std::ranges::find(states_, state) != states_.end();
  }
  std::vector<StateRef> of(const std::string* directory) {
    const std::lock_guard lock(mutex_);
    std::vector<StateRef> found;
    for (const StateRef& state : states_)
      if (directory == nullptr || state->directory == *directory) found.push_back(state);
    return found;
  }

 private:
  std::mutex mutex_;
  std::vector<StateRef> states_;  // guarded by mutex_
};

Unfinished& unfinished() { return of_this_process<Unfinished>(); }

std::string plain(std::string directory) {
  while (directory.size() > 1 && directory.ends_with('/') && !directory.ends_with("://"))
    directory.pop_back();
  return directory.empty() ? "." : directory;
}

}  // namespace

bool background_saves() { return wanted_background().load(std::memory_order_relaxed); }
void set_background_saves(bool wanted) {
  wanted_background().store(wanted, std::memory_order_relaxed);
}

SavesInBackground::SavesInBackground() { ++asking; }
SavesInBackground::~SavesInBackground() { --asking; }
bool SavesInBackground::is_wanted() { return asking > 0 && background_saves() && durable_files(); }

RestOfSave::RestOfSave(const std::string& directory, std::function<void()> work)
    : state_(std::make_shared<State>(plain(directory))) {
  unfinished().add(state_);
  run_in_background(
      [state = state_, work = std::move(work)]() mutable { state->run(std::move(work)); });
}

RestOfSave::~RestOfSave() {
  try {
    finish();
  } catch (const std::exception& error) {
    log(LogLevel::kError, "A checkpoint in ", state_->directory, " was not saved: ", error.what());
  }
}

void RestOfSave::finish() {
  if (!unfinished().has(state_)) return;
  state_->await();
  unfinished().remove(state_);
  if (const auto error = state_->take_error()) std::rethrow_exception(error);
}

bool RestOfSave::has_failed() const {
  const std::lock_guard lock(state_->mutex);
  return state_->has_failed;
}

void await_saves(const std::string& directory) {
  const std::string name = plain(directory);
  for (const StateRef& state : unfinished().of(&name)) state->await();
}

void finish_saves(const std::string& directory) {
  const std::string name = plain(directory);
  for (const StateRef& state : unfinished().of(&name)) {
    state->await();
    if (const auto error = state->take_error()) std::rethrow_exception(error);
  }
}

}  // namespace rill::train
