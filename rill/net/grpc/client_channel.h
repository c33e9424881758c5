#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rill/net/grpc/client_call.h"

namespace rill::net {

class ClientConnection;

// The way to one server: its calls, which share a connection that is made when it is needed, and
// again when it has ended. Safe from several threads.
class ClientChannel : public std::enable_shared_from_this<ClientChannel> {
 public:
  ClientChannel(std::string address, std::shared_ptr<const ClientSecurity> security);
  ~ClientChannel();

  void start(const std::shared_ptr<ClientCall>& call);
  // Ends it, unless it has ended.
  void give_up(const std::shared_ptr<ClientCall>& call, Code code, const char* why);
  const std::string& address() const { return address_; }
  const std::shared_ptr<const ClientSecurity>& security() const { return security_; }

  // For connections.
  using Calls = std::vector<std::shared_ptr<ClientCall>>;
  std::mutex& mutex() { return mutex_; }
  // With the mutex: no new call goes there.
  void forget(const ClientConnection& connection);
  // With the mutex: the server has begun nothing of it, so that it may be asked again. False: it
  // was refused too often.
  bool try_again(const std::shared_ptr<ClientCall>& call);

 private:
  void connect();  // with the mutex
  static void make_connection(const std::shared_ptr<ClientChannel>& self);
  Calls take_connection(const std::shared_ptr<ClientConnection>& made);
  Calls fail_waiting(const std::string& why);  // returns those that have ended

  const std::string address_;
  const std::shared_ptr<const ClientSecurity> security_;
  std::mutex mutex_;
  std::shared_ptr<ClientConnection> connection_;
  std::list<std::shared_ptr<ClientCall>> waiting_;  // for a connection
  bool is_connecting_ = false;
  std::string last_failure_;  // while connecting: of the attempt before
};

}  // namespace rill::net
