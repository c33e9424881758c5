#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "rill/net/grpc/client_call.h"

namespace rill::net {

class ClientConnection;

// What the calls of this process share: threads that wait for answers, and the clock that ends
// calls whose time is over. It stays as long as the process; a fork gets one of its own.
class ClientHost {
 public:
  ClientHost();

  std::uint64_t add(std::shared_ptr<ClientConnection> connection, int socket);
  void remove(std::uint64_t id);

  // Called by a thread that brought an answer and is about to hand it over, which may take long:
  // another waits for events meanwhile.
  void before_work();

  void add_deadline(const std::shared_ptr<ClientCall>& call);
  void forget_deadline(ClientCall& call);

  struct Counts {
    std::atomic<std::int64_t> calls = 0, connections = 0, reads = 0, writes = 0;
  };
  Counts counts;

 private:
  void wait_for_events();
  void add_thread();
  void watch_deadlines();

  int epoll_ = -1;
  std::atomic<int> idle_ = 0;  // threads that wait for events
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<ClientConnection>> open_;
  std::uint64_t next_ = 1;

  std::mutex deadlines_mutex_;
  std::condition_variable sooner_;
  Deadlines deadlines_;
  bool is_watching_ = false;
};

ClientHost& client_host();

}  // namespace rill::net
