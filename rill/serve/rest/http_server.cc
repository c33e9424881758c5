#include "rill/serve/rest/http_server.h"

#include <atomic>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "rill/base/clock.h"
#include "rill/base/error.h"

namespace rill::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::uint32_t kLongestHeader = 64 << 10;

std::string header(const http::request<http::string_body>& request, http::field name) {
  const auto value = request[name];
  return {value.data(), value.size()};
}

}  // namespace

struct HttpServer::Impl {
  class Connection;

  Impl(HttpHandler given, const HttpServerOptions& given_options)
      : handler(std::move(given)), options(given_options), acceptor(asio::make_strand(context)) {}

  void listen();
  void accept();
  void enter(Connection* connection);
  void leave(Connection* connection);
  std::vector<std::shared_ptr<Connection>> all();

  const HttpHandler handler;
  const HttpServerOptions options;
  std::atomic<bool> stopping = false;
  std::mutex mutex;
  std::condition_variable changed;
  std::set<Connection*> connections;  // guarded by mutex
  asio::io_context context;           // goes before what connections need
  tcp::acceptor acceptor;             // in a strand of its own
  int port = 0;
  std::vector<std::thread> threads;
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
    : impl_(std::make_unique<Impl>(std::move(handler), options)) {
  impl_->listen();
  impl_->accept();
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int count = options.threads > 0 ? options.threads : 4 * cores;
  for (int i = 0; i < count; ++i)
    impl_->threads.emplace_back([impl = impl_.get()] { impl->context.run(); });
}

HttpServer::~HttpServer() { shut_down(0); }

int HttpServer::port() const { return impl_->port; }

void HttpServer::shut_down(std::int64_t grace_millis) {
  if (impl_->threads.empty()) return;
  impl_->stopping = true;
  asio::post(impl_->acceptor.get_executor(), [impl = impl_.get()] {
    beast::error_code ignored;
    impl->acceptor.close(ignored);
  });
  for (const auto& connection : impl_->all()) connection->close_if_idle();
  const auto empty = [&] { return impl_->connections.empty(); };
  std::unique_lock lock(impl_->mutex);
  if (!impl_->changed.wait_for(lock, std::chrono::milliseconds(grace_millis), empty)) {
    lock.unlock();
    for (const auto& connection : impl_->all()) connection->close_now();
    lock.lock();
    // Whoever still works on an answer brings it to a connection that must be there.
    impl_->changed.wait(lock, empty);
  }
  lock.unlock();
  impl_->context.stop();
  for (std::thread& thread : impl_->threads) thread.join();
  impl_->threads.clear();
}

}  // namespace rill::serve
