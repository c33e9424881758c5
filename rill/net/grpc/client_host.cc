#include "rill/net/grpc/client_host.h"

#include <pthread.h>
#include <sys/epoll.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "rill/base/clock.h"
#include "rill/net/grpc/client_connection.h"

namespace rill::net {
namespace {

constexpr int kMostIdle = 2;

}  // namespace

ClientHost& client_host() {
  static std::atomic<ClientHost*> host = nullptr;
  static std::mutex mutex;
  if (ClientHost* const there = host.load(std::memory_order_acquire)) return *there;
  const std::lock_guard lock(mutex);
  if (host.load() == nullptr) {
    static const int is_told = ::pthread_atfork(nullptr, nullptr, [] { host = nullptr; });
    (void)is_told;
    host.store(new ClientHost, std::memory_order_release);  // its threads wait for ever
  }
  return *host;
}

ClientHost::ClientHost() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) raise(Code::kUnavailable, "Cannot wait for answers: too many files are open");
  add_thread();
}

void ClientHost::add_thread() {
  ++idle_;
  std::thread([this] { wait_for_events(); }).detach();
}

void ClientHost::wait_for_events() {
  for (;;) {
    epoll_event event{};
    const int count = ::epoll_wait(epoll_, &event, 1, -1);
    --idle_;
    if (count > 0) {
      std::shared_ptr<ClientConnection> connection;
      {
        const std::lock_guard lock(mutex_);
        if (const auto found = open_.find(event.data.u64); found != open_.end())
          connection = found->second;
      }
      if (connection != nullptr) connection->proceed(event.events);
    }
    if (++idle_ > kMostIdle && count >= 0) {
      --idle_;
      return;
    }
  }
}

void ClientHost::before_work() {
  if (idle_.load() == 0) add_thread();
}

std::uint64_t ClientHost::add(std::shared_ptr<ClientConnection> connection, int socket) {
  ++counts.connections;
  std::uint64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    id = next_++;
    open_.emplace(id, std::move(connection));
  }
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.u64 = id;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
  return id;
}

void ClientHost::remove(std::uint64_t id) {
  std::shared_ptr<ClientConnection> gone;  // ends without the lock
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  gone = std::move(found->second);
  open_.erase(found);
}

void ClientHost::add_deadline(const std::shared_ptr<ClientCall>& call) {
  ++counts.calls;
  if (call->deadline() == 0) return;
  const std::lock_guard lock(deadlines_mutex_);
  call->timer = deadlines_.emplace(call->deadline(), call);
  if (*call->timer == deadlines_.begin()) sooner_.notify_one();
  if (std::exchange(is_watching_, true)) return;
  std::thread([this] { watch_deadlines(); }).detach();
}

void ClientHost::forget_deadline(ClientCall& call) {
  if (call.deadline() == 0) return;
  const std::lock_guard lock(deadlines_mutex_);
  if (!call.timer) return;
  deadlines_.erase(*call.timer);
  call.timer.reset();
}

void ClientHost::watch_deadlines() {
  std::unique_lock lock(deadlines_mutex_);
  for (;;) {
    const std::int64_t now = monotonic_nanos();
    if (deadlines_.empty()) {
      sooner_.wait(lock);
    } else if (const auto first = deadlines_.begin(); first->first > now) {
      sooner_.wait_for(lock, std::chrono::nanoseconds(first->first - now));
    } else {
      const auto call = std::static_pointer_cast<ClientCall>(first->second.lock());
      deadlines_.erase(first);
      if (call == nullptr) continue;
      call->timer.reset();
      lock.unlock();
      call->expire();
      lock.lock();
    }
  }
}

ClientCounts client_counts() {
  const ClientHost::Counts& counts = client_host().counts;
  return {counts.calls, counts.connections, counts.reads, counts.writes};
}

}  // namespace rill::net
