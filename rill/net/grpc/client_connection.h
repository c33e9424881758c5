#pragma once

#include <nghttp2/nghttp2.h>

#include <list>
#include <memory>
#include <unordered_map>

#include "rill/net/grpc/client_channel.h"
#include "rill/net/socket/out_queue.h"

namespace rill::net {

class ClientHost;

// A connection to a server, with the calls that are under way on it. Guarded by the mutex of its
// channel, unless it is said to be otherwise.
class ClientConnection : public std::enable_shared_from_this<ClientConnection> {
 public:
  using Calls = ClientChannel::Calls;
  // Connects, and waits for it. Null: `why` says why not.
  static std::shared_ptr<ClientConnection> make(const std::shared_ptr<ClientChannel>& channel,
                                                int timeout_ms, std::string* why);
  ClientConnection(const std::shared_ptr<ClientChannel>& channel, std::unique_ptr<Channel> bytes);
  ~ClientConnection();

  // Calls that end because of it are added to `ended`, here and below.
  void begin(const std::list<std::shared_ptr<ClientCall>>& calls, Calls* ended);
  void start(const std::shared_ptr<ClientCall>& call, Calls* ended);
  void reset(const ClientCall& call, Calls* ended);  // nobody wants its answer any more

  // Without the mutex: something happened to the socket.
  void proceed(std::uint32_t events);
  void leave() { bytes_->cut(); }  // nobody calls there any more

 private:
  friend struct ClientCallbacks;
  bool submit(const std::shared_ptr<ClientCall>& call);
  bool read(std::uint32_t events);
  bool flush();
  void close(const std::string& why);
  std::shared_ptr<ClientCall> call_of(std::int32_t stream) const;
  void give_ended(Calls* ended);
  void closed_stream(const std::shared_ptr<ClientCall>& call, std::uint32_t code);

  ClientHost& host_;
  const std::weak_ptr<ClientChannel> channel_;
  const std::shared_ptr<const ClientSecurity> security_;
  const std::string authority_, authorization_;
  const std::unique_ptr<Channel> bytes_;
  nghttp2_session* session_ = nullptr;  // none: it has ended
  OutQueue out_;
  std::unordered_map<std::int32_t, std::shared_ptr<ClientCall>> calls_;
  Calls ended_;              // by what was just read
  std::uint64_t id_ = 0;     // of the host
  bool is_leaving_ = false;  // the server takes no new calls
};

}  // namespace rill::net
