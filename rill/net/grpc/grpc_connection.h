#pragma once

#include <nghttp2/nghttp2.h>

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "rill/net/grpc/grpc_host.h"
#include "rill/net/socket/channel.h"
#include "rill/net/socket/out_queue.h"

namespace rill::net {

class GrpcCall;

// What is told of a connection.
struct GrpcConnectionInfo {
  std::uint64_t id = 0;
  std::string peer;
  GrpcCounts counts;
  std::int64_t last_call_micros = 0;  // since the Unix epoch; 0: there was none
};

// One client, and the calls that it makes. Whoever was told of an event of its socket reads and
// ends it; any thread may bring answers. All of it is guarded by one mutex, which nobody holds
// while a call is being answered.
class GrpcConnection : public std::enable_shared_from_this<GrpcConnection> {
 public:
  GrpcConnection(GrpcHost& host, std::uint64_t id, int socket);  // owns the socket
  ~GrpcConnection();
  GrpcConnection(const GrpcConnection&) = delete;
  GrpcConnection& operator=(const GrpcConnection&) = delete;

  void start();                 // waits for the first event
  void proceed();               // after an event
  void look(std::int64_t now);  // whether it takes too long
  void send();                  // what was gathered
  void say_goodbye(bool is_last);
  void cut() { channel_.cut(); }

  GrpcHost& host() { return host_; }
  GrpcConnectionInfo info();

 private:
  friend class GrpcCall;
  friend struct GrpcCallbacks;

  // With the mutex.
  bool read();
  bool flush();
  bool fill();
  void arm();
  void close();
  void end_because(const char* reason);
  void send_or_gather();
  void admit_waiting();
  bool postpone(const std::shared_ptr<GrpcCall>& call);  // until more answers were taken
  void give_window();
  void take_bytes(GrpcCall& call, std::size_t size);
  void ready(const std::shared_ptr<GrpcCall>& call);
  std::shared_ptr<GrpcCall> call_of(std::int32_t stream) const;
  void check_progress(std::int64_t now);
  void check_age(std::int64_t now);
  bool spend_control();
  bool spend_reset();

  GrpcHost& host_;
  const std::uint64_t id_;
  Channel channel_;
  const std::string peer_;
  std::mutex mutex_;
  nghttp2_session* session_ = nullptr;  // none: it has ended
  std::unordered_map<std::int32_t, std::shared_ptr<GrpcCall>> calls_;
  std::deque<std::shared_ptr<GrpcCall>> ready_;  // until answers were taken
  std::vector<std::int32_t> uploads_;            // unfinished requests, the oldest first
  int wide_ = 0;                                 // those of them with a wide window
  std::uint64_t held_ = 0;                       // bytes of unfinished requests
  std::uint64_t unsent_ = 0;                     // bytes of answers
  OutQueue out_;                                 // frames that are to be sent
  bool waits_to_write_ = false, is_armed_ = false, has_begun_ = false;
  const char* end_reason_ = nullptr;
  FrameBudget control_{2000, 200}, resets_{2000, 500};
  std::uint32_t header_bytes_ = 0, headers_ = 0;  // of the block that is being read
  std::int64_t began_ = 0, heard_ = 0, idle_since_ = 0, pinged_ = 0, ends_at_ = 0;
  GrpcCounts counts_;
  std::int64_t last_call_ = 0;
  std::int64_t watch_began_ = 0;  // of a reader of answers
  std::uint64_t watch_unsent_ = 0, watch_sent_ = 0;
};

}  // namespace rill::net
