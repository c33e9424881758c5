#pragma once

#include <google/protobuf/io/zero_copy_stream.h>
#include <google/protobuf/message_lite.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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
  // A message whose bytes are `head` and `body`; `owner` keeps the latter where it is.
  virtual void reply_bytes(std::string head, std::string_view body,
                           std::shared_ptr<const void> owner) = 0;
  virtual void fail(const Error& error) = 0;
};
using RpcMethod = std::function<void(std::shared_ptr<RpcCall>)>;
using RpcMethods = std::map<std::string, RpcMethod, std::less<>>;  // by "/package.Service/Method"

// Asked with the first bytes of a large request's message, before the rest has come: an error
// refuses it at once. Called with locks held: it neither waits nor answers.
using RefuseEarly = std::function<std::optional<Error>(
    const std::string& method, std::string_view first_bytes, const CallLimits& limits)>;

// A call of many messages in either direction. Everything may be called from any thread; what is
// said to a client that has left is dropped.
class RpcStream {
 public:
  virtual ~RpcStream() = default;
  virtual CallLimits limits() = 0;
  // Asks for one more message: on_message gets it, or on_end is told that there are no more. What
  // the client sends beyond what was asked for is held back at the client.
  virtual void read() = 0;
  virtual void write(std::string message) = 0;
  virtual std::size_t unsent_bytes() = 0;  // of what was written
  // Ends the call behind what was written; nothing: well.
  virtual void finish(const std::optional<Error>& error = {}) = 0;
};
// What happens to a stream, one at a time. May throw, which ends the call with the error.
struct RpcStreamEvents {
  std::function<void(std::string)> on_message;
  std::function<void()> on_end;   // the client sends no more; empty: finishes the call
  std::function<void()> on_over;  // the last: the call has ended, or the client has left
};
// Begins a stream; nothing is read before it asks for it.
using RpcStreamMethod = std::function<RpcStreamEvents(const std::shared_ptr<RpcStream>&)>;
using RpcStreams = std::map<std::string, RpcStreamMethod, std::less<>>;

// A stream of messages, each of which is answered by one. Throws to end it with an error.
using RpcConversation = std::function<std::string(const std::string& message)>;
using RpcConversations = std::map<std::string, RpcConversation, std::less<>>;
RpcStreamMethod stream_of(RpcConversation conversation);

}  // namespace rill::net
