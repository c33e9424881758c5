#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "rill/net/call_record.h"
#include "rill/net/grpc/authorizer.h"
#include "rill/net/grpc/grpc_limits.h"
#include "rill/net/grpc/health.h"
#include "rill/net/grpc/rpc_call.h"
#include "rill/net/socket/tls.h"

namespace rill::net {

class GrpcCall;
class GrpcConnection;

// Calls so far.
struct GrpcCounts {
  std::int64_t started = 0, succeeded = 0, failed = 0;
  void add(const GrpcCounts& others) {
    started += others.started;
    succeeded += others.succeeded;
    failed += others.failed;
  }
};

// What connections have in common.
struct GrpcHost {
  GrpcHost(RpcMethods given_methods, RpcStreams given_streams,
           std::shared_ptr<const Authorizer> who_may);
  ~GrpcHost();

  // Calls whose turn has come, for whichever thread is free.
  void enqueue(std::shared_ptr<GrpcCall> call);
  std::shared_ptr<GrpcCall> dequeue();
  bool has_queued() const { return queued_ > 0; }
  void wake();  // one of the threads that wait for events
  // Does `first`, if anything, and then runs what is queued, until there is nothing. Answers that
  // come quickly go out together.
  void run_queued(const std::function<void()>& first = {});
  // Lets the answers of a connection wait for others, if this thread gathers some.
  bool gather(const std::shared_ptr<GrpcConnection>& connection);
  void count_end(const char* reason) const {
    if (on_end) on_end(reason);
  }

  Health health;
  RpcMethods methods;
  RpcStreams streams;
  GrpcLimits limits;
  std::int64_t max_request_bytes = 0;
  bool packs_answers = false;
  const std::shared_ptr<const Authorizer> authorizer;  // none: every call is taken
  std::shared_ptr<Tls> tls;
  RefuseEarly refuse_early;
  std::function<void(const CallRecord&, Code)> on_call;  // of a call that has ended
  std::function<void(const char* reason)> on_end;        // of a connection that did not end well
  int epoll = -1, wakes = -1;
  std::atomic<int> working = 0;           // calls of one answer that have not ended
  std::atomic<bool> is_draining = false;  // what comes now is sent elsewhere
  std::atomic<std::uint64_t> held_bytes = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::unordered_map<std::uint64_t, std::shared_ptr<GrpcConnection>> open;  // guarded by mutex
  int alive = 0;    // connections that somebody holds on to; guarded by mutex
  GrpcCounts past;  // of connections that have ended; guarded by mutex

 private:
  std::mutex queue_mutex_;
  std::deque<std::shared_ptr<GrpcCall>> queue_;
  std::atomic<std::size_t> queued_ = 0;
};

}  // namespace rill::net
