#include "rill/serve/rest/http_server.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/serve/net/listener.h"
#include "rill/serve/net/poller_pool.h"
#include "rill/serve/rest/http_connection.h"

namespace rill::serve {
namespace {

constexpr std::size_t kMostRefused = 256;  // connections that are told that there are too many

int core_count() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

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
    const int most = options.threads > 0 ? options.threads : 4 * core_count();
    pool.emplace(
        most, std::max(1, core_count() / 2), [this](PollerPool::Turn& turn) { return poll(turn); },
        [this] { look(); });
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

  void take(int socket) {
    std::size_t count = 0;
    {
      const std::lock_guard lock(host.mutex);
      count = host.open.size();
    }
    const std::size_t most = host.options.most_connections;
    if (count >= most + kMostRefused) {
      ::close(socket);
      return;
    }
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

// One client. Everything happens in the strand of its socket, but for answers, which come from
// anywhere and are brought there.
class HttpServer::Impl::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Impl& server, tcp::socket socket) : server_(server), stream_(std::move(socket)) {
    server_.enter(this);
  }
  ~Connection() { server_.leave(this); }

  void start() {
    asio::post(stream_.get_executor(), [self = shared_from_this()] { self->read(); });
  }
  void read() {
    parser_.emplace();
    parser_->header_limit(kLongestHeader);
    parser_->body_limit(server_.options.most_body_bytes);
    is_idle_ = true;
    stream_.expires_after(std::chrono::milliseconds(server_.options.idle_ms));
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              self->read_body(error);
                            });
  }
  // Closes the connection unless it is busy with a request.
  void close_if_idle() {
    asio::post(stream_.get_executor(), [self = shared_from_this()] {
      if (self->is_idle_) self->close();
    });
  }
  void close_now() {
    asio::post(stream_.get_executor(), [self = shared_from_this()] { self->close(); });
  }

 private:
  void close() {
    beast::error_code ignored;
    is_gone_ = true;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.socket().close(ignored);
  }

  void read_body(beast::error_code error) {
    is_idle_ = false;
    if (error) return refuse(error);
    stream_.expires_after(std::chrono::milliseconds(server_.options.timeout_ms));
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](beast::error_code read_error, std::size_t) {
                       self->handle(read_error);
                     });
  }

  // A request that cannot be read is answered where somebody may listen, and ends the connection.
  void refuse(beast::error_code error) {
    const auto fault = [&]() -> std::optional<HttpResponse> {
      if (error == http::error::body_limit)
        return HttpResponse{.status = 413, .body = "{ \"error\": \"The request is too large\" }"};
      if (error == http::error::header_limit)
        return HttpResponse{.status = 431, .body = "{ \"error\": \"The headers are too large\" }"};
      if (error.category() == make_error_code(http::error::bad_version).category() &&
          error != http::error::end_of_stream && error != http::error::partial_message)
        return HttpResponse{.status = 400, .body = "{ \"error\": \"This is no HTTP request\" }"};
      return std::nullopt;
    }();
    if (!fault) return close();
    keep_alive_ = false;
    write(*fault);
  }

  void handle(beast::error_code error) {
    if (error) return refuse(error);
    auto message = parser_->release();
    keep_alive_ = message.keep_alive() && !server_.stopping;
    version_ = message.version();
    HttpRequest request;
    request.method = std::string(message.method_string());
    request.target = std::string(message.target());
    request.content_type = header(message, http::field::content_type);
    request.content_encoding = header(message, http::field::content_encoding);
    request.origin = header(message, http::field::origin);
    request.authorization = header(message, http::field::authorization);
    request.accept = header(message, http::field::accept);
    request.json_length = std::string(message["Inference-Header-Content-Length"]);
    request.body = std::move(message.body());
    request.deadline_nanos = monotonic_nanos() + server_.options.timeout_ms * 1'000'000;
    request.is_gone = [self = shared_from_this()] { return self->is_gone_.load(); };
    stream_.expires_never();
    server_.handler(std::move(request), [self = shared_from_this()](HttpResponse response) {
      asio::dispatch(
          self->stream_.get_executor(),
          [self, response = std::move(response)]() mutable { self->write(std::move(response)); });
    });
  }

  void write(HttpResponse response) {
    response_ = {};
    response_.version(version_);
    response_.result(static_cast<unsigned>(response.status));
    response_.set(http::field::content_type, response.content_type);
    for (const auto& [name, value] : response.headers) response_.set(name, value);
    response_.body() = std::move(response.body);
    response_.keep_alive(keep_alive_ && !server_.stopping);
    response_.prepare_payload();
    stream_.expires_after(std::chrono::milliseconds(server_.options.timeout_ms));
    http::async_write(stream_, response_,
                      [self = shared_from_this()](beast::error_code error, std::size_t) {
                        if (error || !self->response_.keep_alive() || self->server_.stopping)
                          return self->close();
                        self->read();
                      });
  }

  Impl& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  bool is_idle_ = false, keep_alive_ = false;
  unsigned version_ = 11;
  std::atomic<bool> is_gone_ = false;
};

void HttpServer::Impl::enter(Connection* connection) {
  const std::lock_guard lock(mutex);
  connections.insert(connection);
}

void HttpServer::Impl::leave(Connection* connection) {
  const std::lock_guard lock(mutex);
  connections.erase(connection);
  changed.notify_all();
}

std::vector<std::shared_ptr<HttpServer::Impl::Connection>> HttpServer::Impl::all() {
  std::vector<std::shared_ptr<Connection>> held;
  const std::lock_guard lock(mutex);
  for (Connection* connection : connections)
    if (auto alive = connection->weak_from_this().lock()) held.push_back(std::move(alive));
  return held;
}

void HttpServer::Impl::listen() {
  beast::error_code error;
  const auto address = asio::ip::make_address(options.address, error);
  if (error) raise(Code::kInvalidArgument, "This is no address: ", options.address);
  const tcp::endpoint endpoint(address, static_cast<unsigned short>(options.port));
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    raise(Code::kUnavailable, "Cannot listen at ", options.address, ":", options.port, ": ",
          error.message());
  port = acceptor.local_endpoint().port();
}

void HttpServer::Impl::accept() {
  acceptor.async_accept(
      asio::make_strand(context), [this](beast::error_code error, tcp::socket socket) {
        if (!acceptor.is_open()) return;
        bool has_room = false;
        {
          const std::lock_guard lock(mutex);
          has_room = connections.size() < options.most_connections;
        }
        if (!error && has_room) {
          beast::error_code ignored;
          socket.set_option(tcp::no_delay(true), ignored);
          const auto connection = std::make_shared<Connection>(*this, std::move(socket));
          connection->start();
        }
        accept();
      });
}

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

}  // namespace rill::serve
