#include "rill/net/grpc/grpc_server.h"

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits>
#include <optional>
#include <thread>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/net/grpc/grpc_arguments.h"
#include "rill/net/grpc/grpc_connection.h"
#include "rill/net/grpc/grpc_host.h"
#include "rill/net/socket/listener.h"
#include "rill/net/socket/poller_pool.h"

namespace rill::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kFarewell{50};   // for clients to hear that they are refused
constexpr milliseconds kHandshake{30};  // what a handshake that has begun may take
constexpr int kTicksPerLook = 5;
// What events are of: listeners by their place, then these, then connections by their number.
constexpr std::uint64_t kWake = 1000, kOver = 1001, kFirstConnection = 4096;

struct Place {
  std::string address;
  int port = 0;
};

// "host:port", "[host]:port", "unix:PATH" or "fd:N".
Place place_of(const std::string& address) {
  if (address.starts_with("unix:") || address.starts_with("fd:")) return {address, 0};
  const std::size_t colon = address.rfind(':');
  long long port = 0;
  require(colon != std::string::npos && parse_int(address.substr(colon + 1), &port) && port >= 0 &&
              port <= 65535,
          address, " is no address with a port");
  std::string host = address.substr(0, colon);
  if (host.size() > 1 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  return {std::move(host), static_cast<int>(port)};
}

std::int64_t max_bytes(std::int64_t wanted) {
  constexpr std::int64_t kMax = std::numeric_limits<int>::max();
  return wanted > 0 ? std::min(wanted, kMax) : kMax;
}

}  // namespace

struct GrpcServer::Impl {
  Impl(RpcMethods methods, const GrpcServerOptions& options, RpcStreams streams)
      : host(std::move(methods), std::move(streams), options.authorizer) {
    host.tls = options.tls;
    host.max_request_bytes = max_bytes(options.max_request_bytes);
    host.limits.max_connections = options.max_connections;
    host.on_call = options.on_call;
    host.refuse_early = options.refuse_early;
    allowed_users = options.allowed_users;
    host.on_end = [this, told = options.on_end](const char* reason) {
      has_garbage = true;
      if (told) told(reason);
    };
    for (const std::string& name : apply_channel_arguments(options.channel_arguments, &host))
      log(LogLevel::kWarning, "The channel argument ", name, " has no effect here");
    for (const std::string& address : options.addresses) {
      const Place place = place_of(address);
      listeners.push_back(std::make_unique<Listener>(place.address, place.port));
      ports.push_back(listeners.back()->port());
    }
    host.epoll = ::epoll_create1(EPOLL_CLOEXEC);
    host.wakes = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    over = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (host.epoll < 0 || host.wakes < 0 || over < 0) {
      if (over >= 0) ::close(over);
      raise(Code::kUnavailable, "Cannot wait for connections: too many files are open");
    }
    await_event(host.wakes, kWake, EPOLLIN, EPOLL_CTL_ADD);
    for (std::size_t i = 0; i < listeners.size(); ++i)
      await_event(listeners[i]->socket(), i, EPOLLIN | EPOLLONESHOT, EPOLL_CTL_ADD);
    pool.emplace(
        options.threads, [this](PollerPool::Turn& turn) { return poll(turn); }, [this] { tick(); });
  }
  ~Impl() {
    pool.reset();
    ::close(over);
  }

  void await_event(int file, std::uint64_t what, std::uint32_t events, int how) const {
    epoll_event event{};
    event.events = events;
    event.data.u64 = what;
    ::epoll_ctl(host.epoll, how, file, &event);
  }

  bool poll(PollerPool::Turn& turn) {
    std::uint64_t what = kWake;
    if (!host.has_queued()) {
      epoll_event event{};
      const int count = ::epoll_wait(host.epoll, &event, 1, -1);
      if (count <= 0) return count == 0 || errno == EINTR;
      what = event.data.u64;
    }
    if (what == kOver) return false;
    turn.begin();
    host.run_queued([&] { attend(what); });
    turn.end();
    return true;
  }

  void attend(std::uint64_t what) {
    if (what == kWake) {
      std::uint64_t count = 0;
      (void)!::read(host.wakes, &count, sizeof count);
    } else if (what < listeners.size()) {
      accept_all(what, true);
    } else if (const auto connection = find(what)) {
      connection->proceed();
    }
  }

  std::shared_ptr<GrpcConnection> find(std::uint64_t id) {
    const std::lock_guard lock(host.mutex);
    const auto found = host.open.find(id);
    return found == host.open.end() ? nullptr : found->second;
  }

  void accept_all(std::size_t i, bool again) {
    const std::lock_guard lock(accept_mutex);
    if (is_closed) return;
    Listener::Accepted accepted;
    while ((accepted = listeners[i]->accept()).socket >= 0) take(accepted.socket);
    // Without room there would be events for ever; tick() tries again.
    if (accepted.is_out_of_room)
      has_no_room = true;
    else if (again)
      await_event(listeners[i]->socket(), i, EPOLLIN | EPOLLONESHOT, EPOLL_CTL_MOD);
  }

  void take(int socket) {
    const std::uint64_t id = next_id++;
    std::shared_ptr<GrpcConnection> connection;
    if (!may_come_in(socket, allowed_users)) {
      ::close(socket);
      host.count_end("user");
      return;
    }
    {
      const std::lock_guard lock(host.mutex);
      if (host.open.size() >= host.limits.max_connections) {
        ::close(socket);
        host.count_end("too_many_connections");
        return;
      }
    }
    try {
      connection = std::make_shared<GrpcConnection>(host, id, socket);
    } catch (const Error& error) {
      return log(LogLevel::kWarning, error.what());
    }
    {
      const std::lock_guard lock(host.mutex);
      host.open.emplace(id, connection);
    }
    connection->start();
  }

  std::vector<std::shared_ptr<GrpcConnection>> open() {
    const std::lock_guard lock(host.mutex);
    std::vector<std::shared_ptr<GrpcConnection>> all;
    for (const auto& [id, connection] : host.open) all.push_back(connection);
    return all;
  }

  void tick() {
    if (host.has_queued()) host.wake();
    if (++ticks % kTicksPerLook != 0) return;
    if (has_no_room.exchange(false))
      for (std::size_t i = 0; i < listeners.size(); ++i) accept_all(i, true);
    const std::int64_t now = monotonic_nanos();
    for (const auto& connection : open()) connection->look(now);
    // What an attacker took is given back to the system.
    if (has_garbage && now - trimmed > 1'000'000'000) {
      has_garbage = false;
      trimmed = now;
      ::malloc_trim(0);
    }
  }

  void stop_listening() {
    host.is_draining = true;
    for (const auto& listener : listeners) listener->stop_new();
    std::this_thread::sleep_for(kHandshake);
    for (std::size_t i = 0; i < listeners.size(); ++i) accept_all(i, false);
    const std::lock_guard lock(accept_mutex);
    is_closed = true;
    for (const auto& listener : listeners) listener->close();
  }

  GrpcHost host;
  std::vector<std::unique_ptr<Listener>> listeners;
  std::vector<int> ports;
  int over = -1;
  AllowedUsers allowed_users;
  std::mutex accept_mutex;
  bool is_closed = false;                    // guarded by accept_mutex
  std::uint64_t next_id = kFirstConnection;  // guarded by accept_mutex
  std::atomic<bool> has_no_room = false, has_garbage = false;
  int ticks = 0;
  std::int64_t trimmed = 0;
  std::optional<PollerPool> pool;
};

GrpcServer::GrpcServer(RpcMethods methods, const GrpcServerOptions& options, RpcStreams streams)
    : impl_(std::make_unique<Impl>(std::move(methods), options, std::move(streams))) {}

GrpcServer::~GrpcServer() { shut_down(0); }

const std::vector<int>& GrpcServer::ports() const { return impl_->ports; }
void GrpcServer::set_serving(bool serving) { impl_->host.health.set_serving(serving); }

void GrpcServer::shut_down(std::int64_t grace_millis) {
  if (!impl_->pool) return;
  GrpcHost& host = impl_->host;
  const auto end = steady_clock::now() + milliseconds(grace_millis);
  impl_->stop_listening();
  for (const auto& connection : impl_->open()) connection->say_goodbye(false);
  while (host.working > 0 && steady_clock::now() < end)
    std::this_thread::sleep_for(milliseconds(1));
  for (const auto& connection : impl_->open()) connection->say_goodbye(true);
  std::unique_lock lock(host.mutex);
  host.changed.wait_until(lock, std::min(end, steady_clock::now() + kFarewell),
                          [&] { return host.open.empty(); });
  for (const auto& [id, connection] : host.open) connection->cut();
  // Whoever still works on an answer brings it to a connection that must be there.
  host.changed.wait(lock, [&] { return host.alive == 0; });
  lock.unlock();
  impl_->await_event(impl_->over, kOver, EPOLLIN, EPOLL_CTL_ADD);
  const std::uint64_t one = 1;
  (void)!::write(impl_->over, &one, sizeof one);
  impl_->pool.reset();
}

}  // namespace rill::net
