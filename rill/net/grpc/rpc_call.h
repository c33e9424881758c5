#pragma once

#include <google/protobuf/io/zero_copy_stream.h>
#include <google/protobuf/message_lite.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "rill/base/error.h"
#include "rill/net/call_limits.h"

namespace rill::net {

// A request of one message that waits for an answer of one message. Whoever has it answers once,
// from any thread.
class RpcCall {
 public:
  virtual ~RpcCall() = default;
  virtual google::protobuf::io::ZeroCopyInputStream& request() = 0;  // its bytes
  virtual CallLimits limits() = 0;
  virtual void reply(const google::protobuf::MessageLite& message) = 0;
  virtual void fail(const Error& error) = 0;
};
using RpcMethod = std::function<void(std::shared_ptr<RpcCall>)>;
using RpcMethods = std::map<std::string, RpcMethod, std::less<>>;  // by "/package.Service/Method"

// A stream of messages, each of which is answered by one. Throws to end it with an error.
using RpcConversation = std::function<std::string(const std::string& message)>;
using RpcConversations = std::map<std::string, RpcConversation, std::less<>>;

}  // namespace rill::net
