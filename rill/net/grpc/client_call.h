#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "rill/net/grpc/grpc_client.h"
#include "rill/net/grpc/grpc_wire.h"

namespace rill::net {

class ClientChannel;
class ClientConnection;

// Calls by the moments at which their time is over.
using Deadlines = std::multimap<std::int64_t, std::weak_ptr<PendingCall>>;

// One call that this process makes: a stream of HTTP/2. Guarded by the mutex of its channel, but
// for what is said to be otherwise.
class ClientCall final : public PendingCall, public std::enable_shared_from_this<ClientCall> {
 public:
  ClientCall(std::shared_ptr<ClientChannel> channel, RpcRequest request,
             std::function<void(RpcResult)> finished);

  void cancel() override;  // without the mutex, as the next two
  void expire();
  void deliver();  // tells how it ended

  // As its answer comes.
  void take_header(std::string_view name, std::string_view value);
  void take_data(std::string_view bytes);
  void end_with_trailers();
  // Its end, unless there was one. True: it is to be delivered.
  bool end(Code code, std::string message);
  bool is_over() const { return is_over_; }

  const RpcRequest& request() const { return request_; }
  const char* prefix() const { return prefix_; }
  std::int64_t deadline() const { return deadline_; }

  std::weak_ptr<ClientConnection> connection;  // where it is under way
  std::int32_t stream = 0;
  std::size_t sent = 0;                      // bytes of the request
  int refusals = 0;                          // by servers that had begun nothing of it
  bool is_waiting = false;                   // in the channel's list
  std::optional<Deadlines::iterator> timer;  // guarded by the host

 private:
  void check_read(RpcResult& result);

  const std::shared_ptr<ClientChannel> channel_;
  RpcRequest request_;
  std::function<void(RpcResult)> finished_;
  char prefix_[kGrpcPrefix] = {};
  const std::int64_t deadline_;  // of monotonic_nanos(); 0: none
  bool is_over_ = false;
  RpcResult result_;

  std::string http_status_, status_, message_;
  char head_[kGrpcPrefix] = {};  // of the answer
  std::size_t head_size_ = 0, size_ = 0, taken_ = 0;
};

}  // namespace rill::net
