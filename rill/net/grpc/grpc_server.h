#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/net/grpc/authorizer.h"
#include "rill/net/grpc/rpc_call.h"
#include "rill/net/socket/peer.h"
#include "rill/net/socket/tls.h"

namespace rill::net {

struct GrpcServerOptions {
  // "host:port", port 0: a free one; "unix:PATH"; "fd:N", a socket that is listened at already
  std::vector<std::string> addresses;
  AllowedUsers allowed_users;  // of socket files
  std::shared_ptr<Tls> tls;    // none: plain
  int threads = 0;  // that wait for requests and answer them, at most; 0: 4 for each core
  // gRPC's names of what a connection may do and for how long ("grpc.max_concurrent_streams");
  // others have no effect.
  std::vector<std::pair<std::string, std::string>> channel_arguments;
  std::int64_t max_request_bytes = 0;  // 0: what gRPC can, 2 GiB
  std::size_t max_connections = 4096;
  std::shared_ptr<const Authorizer> authorizer;  // none: every call is taken
  RefuseEarly refuse_early;                      // may be empty
  // Told of every call that has ended.
  std::function<void(const CallRecord&, Code)> on_call;
  // Told why a connection was ended that did what none may, or not what it had to.
  std::function<void(const char* reason)> on_end;
};

// gRPC over HTTP/2: calls of one message with one answer, and streams; also grpc.health.v1 and
// reflection. Requests are answered on the threads that receive them. What one connection may take
// is bounded (grpc_limits.h).
class GrpcServer {
 public:
  // Begins to listen. Throws Unavailable when it cannot at one of the addresses.
  GrpcServer(RpcMethods methods, const GrpcServerOptions& options, RpcStreams streams = {});
  ~GrpcServer();  // as shut_down(0)

  const std::vector<int>& ports() const;  // of the addresses; 0 for sockets of files
  void set_serving(bool serving);         // what health checks are told
  // Refuses requests from now on (Unavailable: nothing of them was begun), answers those that there
  // are, and leaves its clients as soon as that is done, or after a while.
  void shut_down(std::int64_t grace_millis);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rill::net
