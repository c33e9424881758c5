#include "rill/io/event_queue.h"

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/forks.h"
#include "rill/base/log.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill {

EventQueue::EventQueue(const std::string& prefix, const std::string& suffix,
                       const EventQueueOptions& options)
    : options_(options), writer_(prefix, suffix) {
  require(options.max_waiting > 0, "a queue of events needs room for one");
  if (!suffix.empty()) (void)writer_.path();
  start();
}

EventQueue::~EventQueue() {
  try {
    close();
  } catch (const Error& error) {
    log(LogLevel::kError, "events were lost: ", error.message());
  }
}

void EventQueue::start() {
  is_open_ = true;
  next_flush_nanos_ = 0;
  started_after_ = fork_count();
  thread_ = std::thread([this] { work(); });
}

void EventQueue::throw_error() {
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
}

void EventQueue::add(const tensorflow::Event& event) {
  std::string bytes = event.SerializeAsString();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !is_open_ || waiting_.size() < options_.max_waiting; });
  throw_error();
  if (!is_open_) {
    log(LogLevel::kWarning,
        "Attempting to use a closed FileWriter. The operation will be a noop "
        "unless the FileWriter is explicitly reopened.");
    return;
  }
  waiting_.push_back(std::move(bytes));
  changed_.notify_all();
}

void EventQueue::flush() {
  if (started_after_ != fork_count()) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() && !is_writing_; });
  throw_error();
  writer_.sync();
}

void EventQueue::close() {
  {
    if (started_after_ != fork_count()) return leave_to_parent();
    const std::lock_guard lock(mutex_);
    if (!is_open_) return;
    is_open_ = false;
    changed_.notify_all();
  }
  thread_.join();  // it writes what is waiting first
  const std::lock_guard lock(mutex_);
  throw_error();
  writer_.close();
}

// The thread that writes is the parent's, and so is what waits for it. It may have waited when the
// child was made, and a condition is not destroyed before those who wait have gone.
void EventQueue::leave_to_parent() {
  is_open_ = false;
  if (!thread_.joinable()) return;
  thread_.detach();
  new (&changed_) std::condition_variable;
}

void EventQueue::reopen() {
  const std::lock_guard lock(mutex_);
  if (!is_open_) start();
}

void EventQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !is_open_ || !waiting_.empty(); });
    if (waiting_.empty()) return;  // closed
    write_waiting(lock);
  }
}

// All at once: handing over every event by itself would cost more than writing it.
void EventQueue::write_waiting(std::unique_lock<std::mutex>& lock) {
  const std::vector<std::string> events = std::exchange(waiting_, {});
  is_writing_ = true;
  changed_.notify_all();
  lock.unlock();
  std::exception_ptr error;
  try {
    writer_.write_serialized(events);
    const std::int64_t now = monotonic_nanos();
    if (now > next_flush_nanos_) {
      writer_.sync();
      next_flush_nanos_ = now + static_cast<std::int64_t>(options_.flush_seconds * 1e9);
    }
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (error != nullptr && error_ == nullptr) error_ = error;
  is_writing_ = false;
  changed_.notify_all();
}

}  // namespace rill
