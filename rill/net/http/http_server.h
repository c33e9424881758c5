#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "rill/net/http/http_request.h"
#include "rill/net/socket/peer.h"
#include "rill/net/socket/tls.h"

namespace rill::net {

struct HttpServerOptions {
  std::string address = "127.0.0.1";  // as Listener has it
  int port = 0;                       // 0: a free one
  int threads = 0;                    // at most; 0: 4 for each core
  std::int64_t timeout_ms = 30'000;   // to send a request, to be answered, to read the answer
  std::int64_t idle_ms = 120'000;     // between requests of one connection
  std::int64_t min_bytes_per_second = 64 << 10;  // that a client reads of a long answer
  std::uint64_t max_body_bytes = std::uint64_t{1} << 30;
  std::uint64_t max_held_bytes = std::uint64_t{4} << 30;  // of all requests together
  std::size_t max_connections = 4096;
  std::int64_t max_requests = 1'000'000;  // of one connection, which is then closed
  std::shared_ptr<Tls> tls;               // none: plain
  AllowedUsers allowed_users;             // of a socket file
  // Asked with a request that has a large body, before that has come: an answer refuses it at once.
  std::function<std::optional<HttpResponse>(const HttpRequest& head, const CallLimits& limits)>
      refuse_early;
  // Told of every request that was answered, with the bytes of its answer.
  std::function<void(const CallRecord&, int status, std::size_t bytes)> on_call;
};

// HTTP/1.1 with connections that stay. A client that sends too slowly, too much or nothing sensible
// is answered with an error, or left. Requests are answered on the threads that receive them.
class HttpServer {
 public:
  // Begins to listen. Throws Unavailable when it cannot.
  HttpServer(HttpHandler handler, const HttpServerOptions& options);
  ~HttpServer();  // as shut_down(0)

  int port() const;
  // Takes no more connections, answers every request that comes by those that there are, and closes
  // each behind its answer, or when nothing comes for a moment. What remains after the grace is
  // cut.
  void shut_down(std::int64_t grace_millis);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rill::net
