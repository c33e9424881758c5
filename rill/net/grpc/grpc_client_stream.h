#pragma once

#include <functional>
#include <memory>
#include <string>

namespace rill::net {

// A call of many messages in both directions that this process makes. Used from one thread at a
// time; messages that come are told on a thread of its own.
class RpcClientStream {
 public:
  virtual ~RpcClientStream() = default;  // ends the call and waits for its thread
  // Waits until the message is on its way; false when the call is over.
  virtual bool write(const std::string& message) = 0;
  // Says that nothing more comes, and waits until the server has ended the call too, or until it
  // has kept silent for as long as this.
  virtual void finish(std::int64_t timeout_ms) = 0;
};

// Begins a call. Throws InvalidArgument for an address or a method that cannot be one, and
// Unavailable when nobody answers at the address in time.
std::unique_ptr<RpcClientStream> open_rpc_stream(const std::string& address,
                                                 const std::string& method, std::int64_t timeout_ms,
                                                 std::function<void(std::string)> on_message);

}  // namespace rill::net
