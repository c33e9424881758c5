#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "rill/base/error.h"
#include "rill/net/socket/tls.h"

namespace google::protobuf::io {
class ZeroCopyInputStream;
}

namespace rill::net {

// How a client shows who it is, and finds out whom it talks to.
struct ClientSecurity {
  std::shared_ptr<ssl_ctx_st> tls;  // null: plain
  std::string token;                // sent with every call as "Bearer TOKEN"; "": none
};

// Takes an answer as it comes. Called one after the other, with locks held; what it throws ends the
// call with that error.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  virtual void begin(std::size_t size) = 0;  // of all of it
  virtual void take(std::string_view bytes) = 0;
};

struct RpcRequest {
  std::string address;  // "host:port"
  std::string method;   // "/package.Service/Method"
  std::string body;
  bool fail_fast = true;        // false: wait for a server that is not there yet
  std::int64_t timeout_ms = 0;  // 0: none
  // Reads the answer where it is, instead of RpcResult::body, before `finished` is called. False,
  // or an error that it throws, ends the call as if it had failed.
  std::function<bool(google::protobuf::io::ZeroCopyInputStream&)> read = {};
  std::shared_ptr<AnswerSink> sink = {};  // gets the answer instead
  std::shared_ptr<const ClientSecurity> security = {};
};

struct RpcResult {
  Code code = Code::kOk;
  std::string message;  // of an error
  std::string body;
};

// A call that this process makes, until its answer comes.
class PendingCall {
 public:
  virtual ~PendingCall() = default;
  virtual void cancel() = 0;  // from any thread, any number of times
};

// Calls `finished` once, from any thread, possibly before it returns. Throws InvalidArgument for an
// address or a method that cannot be one.
std::shared_ptr<PendingCall> start_rpc(RpcRequest request, std::function<void(RpcResult)> finished);

// What this process's calls have cost so far, for tests and benchmarks.
struct ClientCounts {
  std::int64_t calls = 0, connections = 0, reads = 0, writes = 0;  // the latter of sockets
};
ClientCounts client_counts();

}  // namespace rill::net
