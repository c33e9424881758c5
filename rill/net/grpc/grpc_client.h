#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rill/base/error.h"

namespace google::protobuf::io {
class ZeroCopyInputStream;
}

namespace rill::net {

struct RpcRequest {
  std::string address;  // "host:port"
  std::string method;   // "/package.Service/Method"
  std::string body;
  bool fail_fast = true;        // false: wait for a server that is not there yet
  std::int64_t timeout_ms = 0;  // 0: none
  // Reads the answer where it is, instead of RpcResult::body, before `finished` is called. False,
  // or an error that it throws, ends the call as if it had failed.
  std::function<bool(google::protobuf::io::ZeroCopyInputStream&)> read = {};
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
std::shared_ptr<PendingCall> start_rpc(const RpcRequest& request,
                                       std::function<void(RpcResult)> finished);

}  // namespace rill::net
