#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "rill/net/grpc/rpc_call.h"

namespace rill::net {

// grpc.health.v1.Health: whether the server, or one of its services, takes requests. gRPC's own
// brings threads along that take events from those that answer requests. Safe from several threads
// at once.
class Health {
 public:
  Health(const RpcMethods& methods, const RpcStreams& streams);  // whose services are known

  void set_serving(bool serving);
  // "Check". Throws NotFound when there is no such service, InvalidArgument for other bytes.
  std::string check(const std::string& request) const;

  // "Watch": calls `changed` with a response now and at every change, until the handle goes away;
  // it may be called from any thread, but not any more once that has gone.
  using Watching = std::shared_ptr<void>;
  Watching watch(const std::string& request, std::function<void(std::string)> changed);
  RpcStreamMethod watching();  // the same as a method

 private:
  struct Watcher {
    std::mutex mutex;
    bool is_known = true;
    std::function<void(std::string)> changed;  // guarded by mutex; empty: it has gone
  };
  static std::string name_in(const std::string& request);
  bool is_known(const std::string& service) const;

  std::set<std::string> services_;
  mutable std::mutex mutex_;
  bool is_serving_ = false;                      // guarded by mutex_
  std::set<std::shared_ptr<Watcher>> watchers_;  // guarded by mutex_
};

// Answers a call of "Check".
void answer_check(const Health& health, RpcCall& call);

}  // namespace rill::net
