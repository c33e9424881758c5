#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/net/grpc/authorizer.h"
#include "rill/net/grpc/rpc_call.h"
#include "rill/net/socket/tls.h"

namespace rill::net {

struct GrpcServerOptions {
  std::vector<std::string> addresses;  // "host:port", port 0: a free one; "unix:PATH"
  std::shared_ptr<Tls> tls;            // none: plain
  int threads = 0;  // that wait for requests and answer them, at most; 0: 4 for each core
  std::vector<std::pair<std::string, std::string>> channel_arguments;
  std::int64_t max_request_bytes = 0;            // 0: what gRPC can, 2 GiB
  std::shared_ptr<const Authorizer> authorizer;  // none: every call is taken
};

// Calls of one message with one answer, over gRPC; also grpc.health.v1. Requests are answered on
// the threads that receive them.
class GrpcServer {
 public:
  // Begins to listen. Throws Unavailable when it cannot at one of the addresses.
  GrpcServer(RpcMethods methods, const GrpcServerOptions& options);
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
