#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "rill/net/http/http_reader.h"
#include "rill/net/http/http_server.h"
#include "rill/net/socket/channel.h"

namespace rill::net {

class HttpConnection;

// What connections have in common.
struct HttpHost {
  HttpHandler handler;
  HttpServerOptions options;
  int epoll = -1;
  std::atomic<bool> is_draining = false;
  std::atomic<std::uint64_t> held_bytes = 0;  // of requests that come or are being answered
  std::mutex mutex;
  std::condition_variable changed;
  std::unordered_map<HttpConnection*, std::shared_ptr<HttpConnection>> open;  // guarded by mutex
  int alive = 0;  // connections that somebody holds on to; guarded by mutex
};

// One client. It belongs to one thread at a time: to the one that was told of an event of its
// socket, until that waits for the next; and while a request is being answered to whoever answers.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  // Owns the socket. One that is not welcome is told so when it has asked.
  HttpConnection(HttpHost& host, int socket, bool is_welcome);
  ~HttpConnection();

  void start();    // waits for the first event
  void proceed();  // after an event

  // What may be done while others have it, with the host's mutex.
  void look(std::int64_t now);  // whether it takes too long, or the client has left
  void cut() { channel_.cut(); }

 private:
  enum class State { kReading, kAnswering, kWriting, kLingering, kClosed };
  enum class Phase { kHandling, kAway, kAnswered };

  // Each does what can be done now; true when there is something else to do.
  bool read();
  bool write();
  bool linger();
  bool answer(HttpRequest request);
  void answered(HttpResponse response);
  bool refuse(const HttpFault& fault);
  bool refuse_early();  // true: it did
  void begin_record(const HttpRequest& request);
  void begin_writing(HttpResponse response);
  bool finish_answer();
  bool wait();           // for the event that the channel waits for; false
  bool wait_for_turn();  // for the next event, which comes at once if there is more to read
  bool arm(std::uint32_t events);
  bool close();  // false
  void expire_in(std::int64_t millis);
  bool is_expired() const;
  void probe();
  void let_go();  // of what the request held

  HttpHost& host_;
  Channel channel_;
  HttpReader reader_;
  std::string out_, out_body_;  // what is to be sent
  std::size_t sent_ = 0;        // of both
  HttpResponse response_;       // until it is written
  std::int64_t requests_ = 0, lingered_ = 0;
  std::uint64_t held_ = 0;              // bytes of the request
  std::shared_ptr<CallRecord> record_;  // of the request that is being answered
  const std::string peer_;
  bool keep_alive_ = false, is_head_ = false, has_begun_ = false, is_armed_ = false;
  const bool is_welcome_;
  std::atomic<State> state_ = State::kReading;
  std::atomic<Phase> phase_ = Phase::kAnswered;
  std::atomic<bool> is_gone_ = false, is_idle_ = true;
  std::atomic<std::int64_t> expires_ = 0, since_ = 0;  // since when it is idle, or answers
  std::mutex poke_mutex_;  // who writes while a request is being answered
  bool is_probed_ = false, is_judged_ = false;
};

}  // namespace rill::net
