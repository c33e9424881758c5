#include "rill/net/http/http_server.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/net/http/http_connection.h"
#include "rill/net/socket/listener.h"
#include "rill/net/socket/poller_pool.h"

namespace rill::net {
namespace {

constexpr std::size_t kMaxRefused = 256;  // connections that are told that there are too many
constexpr std::chrono::milliseconds kHandshake{30};  // what a handshake that has begun may take

}  // namespace

struct HttpServer::Impl {
  Impl(HttpHandler handler, const HttpServerOptions& options)
      : listener(options.address, options.port) {
    host.handler = std::move(handler);
    host.options = options;
    host.epoll = ::epoll_create1(EPOLL_CLOEXEC);
    wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (host.epoll < 0 || wake < 0) {
      close_files();
      raise(Code::kUnavailable, "Cannot wait for connections: too many files are open");
    }
    listen_on(listener.socket(), &listener, EPOLL_CTL_ADD);
    pool.emplace(
        options.threads, [this](PollerPool::Turn& turn) { return poll(turn); }, [this] { look(); });
  }
  ~Impl() {
    pool.reset();
    close_files();
  }

  void close_files() {
    if (host.epoll >= 0) ::close(host.epoll);
    if (wake >= 0) ::close(wake);
  }

  void listen_on(int file, void* what, int how) {
    epoll_event event{};
    event.events = what == &listener ? EPOLLIN | EPOLLONESHOT : EPOLLIN;
    event.data.ptr = what;
    ::epoll_ctl(host.epoll, how, file, &event);
  }

  bool poll(PollerPool::Turn& turn) {
    epoll_event event{};
    const int count = ::epoll_wait(host.epoll, &event, 1, -1);
    if (count <= 0) return count == 0 || errno == EINTR;
    if (event.data.ptr == &wake) return false;
    turn.begin();
    if (event.data.ptr == &listener)
      accept_all(true);
    else
      static_cast<HttpConnection*>(event.data.ptr)->proceed();
    turn.end();
    return true;
  }

  void accept_all(bool again) {
    const std::lock_guard lock(accept_mutex);
    if (is_closed) return;
    Listener::Accepted accepted;
    while ((accepted = listener.accept()).socket >= 0) take(accepted.socket);
    // Without room there would be events for ever; look() tries again.
    has_no_room = accepted.is_out_of_room;
    if (again && !has_no_room) listen_on(listener.socket(), &listener, EPOLL_CTL_MOD);
  }

  // Nobody has the time to read what this client asks.
  void refuse_at_once(int socket) const {
    constexpr std::string_view kFull =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
        "Connection: close\r\n\r\n";
    if (host.options.tls == nullptr)
      (void)!::send(socket, kFull.data(), kFull.size(), MSG_NOSIGNAL);
    ::shutdown(socket, SHUT_WR);
    ::close(socket);
  }

  void take(int socket) {
    std::size_t count = 0;
    if (!may_come_in(socket, host.options.allowed_users)) {
      ::close(socket);
      return;
    }
    {
      const std::lock_guard lock(host.mutex);
      count = host.open.size();
    }
    const std::size_t most = host.options.max_connections;
    if (count >= most + kMaxRefused) return refuse_at_once(socket);
    std::shared_ptr<HttpConnection> connection;
    try {
      connection = std::make_shared<HttpConnection>(host, socket, count < most);
    } catch (const Error& error) {
      return log(LogLevel::kWarning, error.what());
    }
    {
      const std::lock_guard lock(host.mutex);
      host.open.emplace(connection.get(), connection);
    }
    connection->start();
  }

  void look() {
    if (has_no_room) accept_all(true);
    const std::int64_t now = monotonic_nanos();
    const std::lock_guard lock(host.mutex);
    for (const auto& [connection, held] : host.open) connection->look(now);
  }

  void stop_listening() {
    host.is_draining = true;
    listener.stop_new();
    std::this_thread::sleep_for(kHandshake);
    accept_all(false);
    const std::lock_guard lock(accept_mutex);
    is_closed = true;
    listener.close();
  }

  HttpHost host;
  Listener listener;
  int wake = -1;
  std::mutex accept_mutex;
  bool is_closed = false;  // guarded by accept_mutex
  std::atomic<bool> has_no_room = false;
  std::optional<PollerPool> pool;
};

HttpServer::HttpServer(HttpHandler handler, const HttpServerOptions& options)
    : impl_(std::make_unique<Impl>(std::move(handler), options)) {}

HttpServer::~HttpServer() { shut_down(0); }

int HttpServer::port() const { return impl_->listener.port(); }

void HttpServer::shut_down(std::int64_t grace_millis) {
  if (!impl_->pool) return;
  impl_->stop_listening();
  HttpHost& host = impl_->host;
  std::unique_lock lock(host.mutex);
  const auto nobody = [&] { return host.alive == 0; };
  if (!host.changed.wait_for(lock, std::chrono::milliseconds(grace_millis), nobody)) {
    for (const auto& [connection, held] : host.open) connection->cut();
    // Whoever still works on an answer brings it to a connection that must be there.
    host.changed.wait(lock, nobody);
  }
  lock.unlock();
  impl_->listen_on(impl_->wake, &impl_->wake, EPOLL_CTL_ADD);
  const std::uint64_t one = 1;
  (void)!::write(impl_->wake, &one, sizeof one);
  impl_->pool.reset();
}

}  // namespace rill::net
