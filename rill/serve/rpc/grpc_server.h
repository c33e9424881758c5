#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/serve/rpc/rpc_call.h"

namespace rill::serve {

// Keys and certificates, as PEM text.
struct TlsFiles {
  std::string key, certificate;
  std::string client_authority;  // who signs for clients; "": the system's
  bool verify_client = false;
};

struct GrpcServerOptions {
  std::vector<std::string> addresses;  // "host:port", port 0: a free one; "unix:PATH"
  std::optional<TlsFiles> tls;
  int threads = 0;  // that wait for requests and answer them; 0: 4 for each core
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
  // Takes no more requests, finishes those that there are, cancels what remains after a while.
  void shut_down(std::int64_t grace_millis);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rill::serve
