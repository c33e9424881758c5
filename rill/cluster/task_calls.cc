#include "rill/cluster/task_calls.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "rill/base/clock.h"
#include "rill/base/log.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

// What others say when a step is over because one of them failed.
bool is_consequence(const Error& error) { return error.code() == Code::kCancelled; }

}  // namespace

TaskCalls::~TaskCalls() {
  if (watch_ != nullptr) watch_->forget(watched_);
}

void TaskCalls::call(const std::string& task, const std::shared_ptr<Link>& link,
                     const std::string& method, MessageRef request, MutableMessageRef response,
                     bool wait_for_ready) {
  std::size_t index = 0;
  {
    const std::lock_guard lock(state_->mutex);
    index = state_->calls.size();
    state_->calls.push_back({.task = task, .link = link});
    ++state_->missing;
    if (state_->asked == 0) state_->asked = monotonic_nanos();
  }
  auto pending =
      link->call(method, std::move(request), response, {.wait_for_ready = wait_for_ready},
                 [state = state_, index, response](std::optional<Error> error) {
                   if (!error && state->check) error = state->check(*response);
                   const std::lock_guard lock(state->mutex);
                   state->calls[index].answered = true;
                   state->calls[index].pending = nullptr;
                   --state->missing;
                   if (error) state->errors.push_back(std::move(*error));
                   if (error || state->missing == 0) state->changed.notify_all();
                 });
  const std::lock_guard lock(state_->mutex);
  if (!state_->calls[index].answered) state_->calls[index].pending = std::move(pending);
}

// Tasks that have not answered are asked for a sign of life, which is answered at once whatever
// they do.
void TaskCalls::State::ask_who_is_there(std::unique_lock<std::mutex>& lock) {
  constexpr std::int64_t kPatienceMillis = 10'000;
  std::set<std::string> known;
  std::vector<std::pair<std::string, std::shared_ptr<Link>>> silent;
  for (const Call& call : calls)
    if (!call.answered && known.insert(call.task).second) silent.emplace_back(call.task, call.link);
  lock.unlock();
  for (const auto& [task, link] : silent)
    link->call(
        "/tensorflow.WorkerService/GetStatus", std::make_shared<tensorflow::GetStatusRequest>(),
        std::make_shared<tensorflow::GetStatusResponse>(), {.timeout_ms = kPatienceMillis},
        [state = shared_from_this(), task = task,
         address = link->address()](std::optional<Error> error) {
          if (!error ||
              (error->code() != Code::kUnavailable && error->code() != Code::kDeadlineExceeded))
            return;
          const std::lock_guard relock(state->mutex);
          if (state->missing == 0) return;
          state->errors.push_back(
              Error(Code::kUnavailable,
                    str_cat("The task ", task, " at ", address, " does not answer (",
                            error->message(), "). It may have ended, hang or be cut off.")));
          state->changed.notify_all();
        });
  lock.lock();
}

std::string TaskCalls::State::who_is_missing() const {
  std::string who;
  for (const Call& call : calls)
    if (!call.answered) who += str_cat(who.empty() ? "" : ", ", call.task);
  return who;
}

// The others are told to stop. Their answers are not waited for where the reason is known: what one
// task says of another that failed may come before that one's own answer.
void TaskCalls::State::give_up(std::unique_lock<std::mutex>& lock, std::optional<Error> why) {
  constexpr std::int64_t kGraceNanos = 2'000'000'000;
  if (why) errors.push_back(std::move(*why));
  if (!std::exchange(is_stopped, true)) {
    asked = monotonic_nanos();
    lock.unlock();
    if (stop) stop();
    lock.lock();
  }
  const bool knows_why = !std::ranges::all_of(errors, is_consequence);
  if (!knows_why && monotonic_nanos() - asked < kGraceNanos) return;
  std::vector<std::shared_ptr<net::PendingCall>> pending;
  for (Call& call : calls)
    if (call.pending != nullptr) pending.push_back(std::exchange(call.pending, nullptr));
  lock.unlock();
  for (const auto& call : pending) call->cancel();
  lock.lock();
}

void TaskCalls::State::check_limits(std::unique_lock<std::mutex>& lock) {
  if (missing == 0) return;
  if (!errors.empty()) give_up(lock, {});
  if (is_stopped) return;
  const std::int64_t now = monotonic_nanos();
  if (limits.deadline_nanos > 0 && now > limits.deadline_nanos) {
    give_up(lock, Error(Code::kDeadlineExceeded,
                        str_cat("Timed out waiting for ", limits.what, " of ", who_is_missing())));
  } else if (limits.is_gone && limits.is_gone()) {
    give_up(lock, Error(Code::kCancelled, "Who asked for it is gone"));
  } else if (now - asked > limits.silence_ms * 1'000'000) {
    asked = now;
    ask_who_is_there(lock);
  }
}

std::vector<std::string> TaskCalls::missing() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> tasks;
  for (const Call& call : state_->calls)
    if (!call.answered) tasks.push_back(call.task);
  return tasks;
}

void TaskCalls::watch_over(ClientWatch& watch) {
  watch_ = &watch;
  watched_ = watch.add(
      [state = state_.get()] {
        std::unique_lock lock(state->mutex);
        state->check_limits(lock);
        return false;
      },
      [] {});
}

void TaskCalls::wait() {
  std::unique_lock lock(state_->mutex);
  while (state_->missing > 0) {
    if (state_->errors.empty() || state_->is_stopped)
      state_->changed.wait_for(lock, std::chrono::milliseconds(100));
    state_->check_limits(lock);
  }
  if (state_->errors.empty()) return;
  const auto root = std::ranges::find_if_not(state_->errors, is_consequence);
  const Error error = root == state_->errors.end() ? state_->errors.front() : *root;
  lock.unlock();
  throw error;
}

}  // namespace rill::cluster
