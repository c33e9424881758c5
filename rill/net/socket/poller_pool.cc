#include "rill/net/socket/poller_pool.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <utility>

#include "rill/base/clock.h"
#include "rill/base/text.h"
#include "rill/net/long_work.h"

namespace rill::net {
namespace {

constexpr auto kLook = std::chrono::milliseconds(5);
constexpr int kLooksPerTick = 4;
// A thread that waits for something is replaced soon; one that only has much to compute, or has to
// wait for a core, later, since another would want a core too.
constexpr std::int64_t kWaitsNanos = 5'000'000, kComputesNanos = 50'000'000;
// Events of one thread between two looks: with fewer they take long, with more they do not.
constexpr std::uint32_t kFewEvents = 10, kManyEvents = 30;

// Threads beyond those that may be held up, for what takes no time.
constexpr int kSpare = 4;

int core_count() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

// Whether a thread sleeps, rather than runs or is ready to.
bool sleeps(int thread) {
  std::ifstream file(str_cat("/proc/self/task/", thread, "/stat"));
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');  // of the name, which may hold anything
  return name_end != std::string::npos && name_end + 2 < text.size() && text[name_end + 2] != 'R';
}

}  // namespace

void PollerPool::Turn::begin() { busy_since_.store(monotonic_nanos(), std::memory_order_relaxed); }

void PollerPool::Turn::end() {
  busy_since_.store(0, std::memory_order_relaxed);
  events_.store(events_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

PollerPool::PollerPool(int max_threads, Poll poll, std::function<void()> on_tick)
    : most_((max_threads > 0 ? max_threads : 4 * core_count()) + kSpare),
      min_awake_(std::clamp(core_count() / 2, 1, most_)),
      max_awake_(std::clamp(core_count(), min_awake_, most_)),
      poll_(std::move(poll)),
      on_tick_(std::move(on_tick)) {
  const std::lock_guard lock(mutex_);
  wanted_ = min_awake_;
  while (awake_ < wanted_) add_awake();
  watcher_ = std::thread([this] { watch(); });
}

PollerPool::~PollerPool() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  watcher_.join();
  for (Turn& turn : turns_) turn.thread_.join();
}

int PollerPool::thread_count() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(turns_.size());
}

void PollerPool::add_awake() {
  ++awake_;
  if (parked_ > to_wake_) {
    ++to_wake_;
    changed_.notify_all();
    return;
  }
  Turn& turn = turns_.emplace_back();
  turn.thread_ = std::thread([this, &turn] { work(turn); });
}

void PollerPool::work(Turn& turn) {
  turn.id_ = static_cast<int>(::gettid());
  turn.pool_ = this;
  long_work_hooks().step_aside = [](void* own) {
    auto& held_up = *static_cast<Turn*>(own);
    held_up.pool_->step_aside(held_up);
  };
  long_work_hooks().stepper = &turn;
  while (poll_(turn)) {
    if (!turn.is_held_up_.load(std::memory_order_relaxed) &&
        awake_.load(std::memory_order_relaxed) <= wanted_.load(std::memory_order_relaxed))
      continue;
    // Somebody else came in its place. It goes on only if that one is held up now.
    std::unique_lock lock(mutex_);
    if (turn.is_held_up_.exchange(false)) ++awake_;
    if (awake_ <= wanted_) continue;
    --awake_;
    ++parked_;
    changed_.wait(lock, [&] { return to_wake_ > 0 || is_over_; });
    --parked_;
    if (to_wake_ > 0) --to_wake_;  // it was counted as awake by whoever woke it
  }
}

bool PollerPool::is_held_up(const Turn& turn, std::int64_t now) const {
  const std::int64_t since = turn.busy_since_.load(std::memory_order_relaxed);
  if (since == 0 || turn.is_held_up_ || now - since < kWaitsNanos) return false;
  return now - since >= kComputesNanos || sleeps(turn.id_);
}

bool PollerPool::replace(Turn& turn) {
  if (parked_ <= to_wake_ && static_cast<int>(turns_.size()) >= most_) return false;
  turn.is_held_up_ = true;
  --awake_;
  add_awake();
  return true;
}

void PollerPool::step_aside(Turn& turn) {
  if (turn.is_held_up_) return;
  const std::lock_guard lock(mutex_);
  if (!turn.is_held_up_) replace(turn);
}

void PollerPool::replace_held_up() {
  const std::int64_t now = monotonic_nanos();
  for (Turn& turn : turns_) {
    if (is_held_up(turn, now) && !replace(turn)) return;
  }
}

void PollerPool::choose_awake() {
  std::uint32_t events = 0;
  int busy = 0;
  for (Turn& turn : turns_) {
    const std::uint32_t now = turn.events_.load(std::memory_order_relaxed);
    events += now - std::exchange(turn.events_before_, now);
    if (turn.busy_since_.load(std::memory_order_relaxed) != 0) ++busy;
  }
  const auto awake = static_cast<std::uint32_t>(std::max(1, awake_.load()));
  if (busy < static_cast<int>(awake) || events > awake * kManyEvents)
    wanted_ = min_awake_;
  else if (events < awake * kFewEvents)
    wanted_ = max_awake_;
  while (awake_ < wanted_ && (parked_ > to_wake_ || static_cast<int>(turns_.size()) < most_))
    add_awake();
}

void PollerPool::watch() {
  std::unique_lock lock(mutex_);
  for (int looks = 1;; ++looks) {
    if (changed_.wait_for(lock, kLook, [&] { return is_over_; })) return;
    replace_held_up();
    choose_awake();
    if (looks % kLooksPerTick != 0 || !on_tick_) continue;
    lock.unlock();
    on_tick_();
    lock.lock();
  }
}

}  // namespace rill::net
