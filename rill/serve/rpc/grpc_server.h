#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/serve/net/tls.h"
#include "rill/serve/rpc/rpc_call.h"

namespace rill::serve {

struct GrpcServerOptions {
  std::vector<std::string> addresses;  // "host:port", port 0: a free one; "unix:PATH"
  std::shared_ptr<Tls> tls;            // none: plain
  int threads = 0;  // that wait for requests and answer them, at most; 0: 4 for each core
  std::vector<std::pair<std::string, std::string>> channel_arguments;
  std::int64_t most_request_bytes = 0;  // 0: what gRPC can, 2 GiB
  std::string token;                    // that requests must bring; "": none
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
  void set_token(std::string token);
  // Refuses requests from now on (Unavailable: nothing of them was begun), answers those that there
  // are, and leaves its clients as soon as that is done, or after a while.
  void shut_down(std::int64_t grace_millis);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rill::serve
