#include "rill/net/http/http_connection.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <span>
#include <utility>
#include <vector>

#include "rill/base/clock.h"
#include "rill/base/text.h"

namespace rill::net {
namespace {

constexpr std::int64_t kMilli = 1'000'000;      // nanoseconds
constexpr std::size_t kPiece = 256 << 10;       // read at once
constexpr std::size_t kTogether = 16 << 10;     // a body up to this goes with its head
constexpr std::uint64_t kLargeBody = 64 << 10;  // may be refused before it has come
constexpr std::int64_t kLingerMillis = 500;     // for what a client still sends
constexpr std::int64_t kMaxLingered = 64 << 20;
constexpr std::int64_t kQuietNanos = 500 * kMilli;  // after which draining ends a connection
constexpr std::int64_t kProbeAfterNanos = 30 * kMilli;
constexpr std::int64_t kCutAfterNanos = 2000 * kMilli;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

std::span<char> scratch() {
  thread_local std::vector<char> piece(kPiece);
  return piece;
}

}  // namespace

HttpConnection::HttpConnection(HttpHost& host, int socket, bool is_welcome)
    : host_(host),
      channel_(socket, host.options.tls == nullptr ? nullptr : host.options.tls->context(),
               kAlpnHttp1),
      reader_({.max_body_bytes = host.options.max_body_bytes}),
      peer_(peer_of(socket)),
      is_welcome_(is_welcome) {
  const std::lock_guard lock(host_.mutex);
  ++host_.alive;
}

HttpConnection::~HttpConnection() {
  let_go();
  const std::lock_guard lock(host_.mutex);
  if (--host_.alive == 0) host_.changed.notify_all();
}

void HttpConnection::start() {
  since_ = monotonic_nanos();
  expire_in(host_.options.timeout_ms);
  arm(EPOLLIN);
}

void HttpConnection::proceed() {
  const auto self = shared_from_this();  // closing must not end it in here
  for (bool goes_on = true; goes_on;) {
    switch (state_) {
      case State::kReading:
        goes_on = read();
        break;
      case State::kWriting:
        goes_on = write();
        break;
      case State::kLingering:
        goes_on = linger();
        break;
      case State::kAnswering:
      case State::kClosed:
        return;
    }
  }
}

bool HttpConnection::read() {
  const std::span<char> piece = scratch();
  HttpRequest request;
  try {
    while (!reader_.next(&request)) {
      if (refuse_early()) return true;
      if (reader_.wants_continue() && channel_.write(kContinue).bytes != kContinue.size())
        return close();
      const Channel::Moved moved = channel_.read(piece.data(), piece.size());
      if (moved.end == Channel::End::kLater) return wait();
      if (moved.bytes == 0) {
        if (is_expired() && reader_.has_begun())
          return refuse({408, "The request did not come in time"});
        return close();
      }
      if (!has_begun_) {
        has_begun_ = true;
        is_idle_ = false;
        expire_in(host_.options.timeout_ms);
      }
      held_ += moved.bytes;
      if (host_.held_bytes += moved.bytes; host_.held_bytes > host_.options.max_held_bytes)
        return refuse({503, "There is too much to read at the same time"});
      reader_.feed({piece.data(), moved.bytes});
    }
  } catch (const HttpFault& fault) {
    return refuse(fault);
  }
  return answer(std::move(request));
}

bool HttpConnection::answer(HttpRequest request) {
  if (!is_welcome_) return refuse({503, "There are too many connections"});
  if (!reader_.is_version_10() && request.header("host").data() == nullptr)
    return refuse({400, "The request does not name its Host"});
  ++requests_;
  has_begun_ = false;
  is_idle_ = false;
  is_judged_ = false;
  begin_record(request);
  const std::int64_t now = record_->received_nanos;
  keep_alive_ = reader_.keeps_alive() && requests_ < host_.options.max_requests;
  is_head_ = request.method == "HEAD";
  if (is_head_) request.method = "GET";
  request.received_nanos = now;
  request.deadline_nanos = now + host_.options.timeout_ms * kMilli;
  request.is_gone = [self = shared_from_this()] { return self->is_gone_.load(); };
  since_ = now;
  is_probed_ = reader_.is_version_10();  // which has no answers before the answer
  phase_ = Phase::kHandling;
  state_ = State::kAnswering;
  request.record = record_;
  host_.handler(std::move(request), [self = shared_from_this()](HttpResponse response) {
    self->answered(std::move(response));
  });
  // If the answer is not there it is brought by another thread, whose the connection is now.
  if (phase_.exchange(Phase::kAway) != Phase::kAnswered) return false;
  begin_writing(std::move(response_));
  return true;
}

void HttpConnection::begin_record(const HttpRequest& request) {
  record_ = std::make_shared<CallRecord>(
      CallRecord{.id = request_id(request.header("x-request-id")),
                 .traceparent = std::string(request.header("traceparent")),
                 .method = str_cat(request.method, " ", request.target),
                 .peer = peer_,
                 .began_micros = wall_micros(),
                 .received_nanos = monotonic_nanos()});
}

// A large body is not taken for a request that nobody would answer.
bool HttpConnection::refuse_early() {
  const HttpRequest* const head = reader_.head_before(kLargeBody);
  if (head == nullptr || std::exchange(is_judged_, true) || !host_.options.refuse_early)
    return false;
  begin_record(*head);
  auto response = host_.options.refuse_early(
      *head, {.received_nanos = record_->received_nanos, .record = record_});
  if (!response) {
    record_.reset();
    return false;
  }
  keep_alive_ = false;
  is_head_ = false;
  begin_writing(*std::move(response));
  return true;
}

void HttpConnection::answered(HttpResponse response) {
  response_ = std::move(response);
  if (phase_.exchange(Phase::kAnswered) != Phase::kAway) return;  // who asked goes on
  begin_writing(std::move(response_));
  if (write()) wait_for_turn();  // other requests are no business of this thread
}

bool HttpConnection::refuse(const HttpFault& fault) {
  keep_alive_ = false;
  is_head_ = false;
  HttpResponse response{.status = fault.status,
                        .body = str_cat("{ \"error\": \"", fault.text, "\" }")};
  if (fault.status == 503) response.headers.emplace_back("Retry-After", "1");
  begin_writing(std::move(response));
  return true;
}

void HttpConnection::begin_writing(HttpResponse response) {
  keep_alive_ = keep_alive_ && !host_.is_draining;
  if (record_ != nullptr) {
    response.headers.emplace_back("X-Request-Id", record_->id);
    if (host_.options.on_call)
      host_.options.on_call(*record_, response.status, response.body.size());
    record_.reset();
  }
  out_ = response_head(response, keep_alive_);
  out_body_.clear();
  sent_ = 0;
  if (!is_head_) {
    if (response.body.size() <= kTogether)
      out_ += response.body;
    else
      out_body_ = std::move(response.body);
  }
  const std::int64_t size = static_cast<std::int64_t>(out_.size() + out_body_.size());
  expire_in(host_.options.timeout_ms + size * 1000 / host_.options.min_bytes_per_second);
  const std::lock_guard lock(poke_mutex_);
  state_ = State::kWriting;
}

bool HttpConnection::write() {
  const std::size_t all = out_.size() + out_body_.size();
  while (sent_ < all) {
    const bool is_first = sent_ < out_.size();
    const std::string_view rest = is_first
                                      ? std::string_view(out_).substr(sent_)
                                      : std::string_view(out_body_).substr(sent_ - out_.size());
    const Channel::Moved moved = channel_.write(rest, is_first && !out_body_.empty());
    sent_ += moved.bytes;
    if (moved.bytes > 0) continue;
    return moved.end == Channel::End::kLater ? wait() : close();
  }
  return finish_answer();
}

void HttpConnection::let_go() { host_.held_bytes -= std::exchange(held_, 0); }

bool HttpConnection::finish_answer() {
  out_body_ = {};
  let_go();
  if (!keep_alive_) {
    // What the client still sends would be answered with a reset, which might overtake the answer.
    channel_.end_writing();
    expire_in(kLingerMillis);
    state_ = State::kLingering;
    return true;
  }
  expire_in(host_.options.idle_ms);
  since_ = monotonic_nanos();
  has_begun_ = reader_.has_begun();
  is_idle_ = !has_begun_;
  if (has_begun_) expire_in(host_.options.timeout_ms);
  state_ = State::kReading;
  if (has_begun_ || channel_.has_pending()) return true;
  return arm(EPOLLIN);  // the next request seldom is there already
}

bool HttpConnection::linger() {
  const std::span<char> piece = scratch();
  while (true) {
    const Channel::Moved moved = channel_.read(piece.data(), piece.size());
    if (moved.end == Channel::End::kLater) return wait();
    lingered_ += static_cast<std::int64_t>(moved.bytes);
    if (moved.bytes == 0 || lingered_ > kMaxLingered) return close();
  }
}

bool HttpConnection::wait() { return arm(channel_.waits_to_write() ? EPOLLOUT : EPOLLIN); }

bool HttpConnection::wait_for_turn() { return arm(EPOLLIN | EPOLLOUT); }

bool HttpConnection::arm(std::uint32_t events) {
  epoll_event event{};
  event.events = events | EPOLLONESHOT;
  event.data.ptr = this;
  // Afterwards another thread may have it.
  const int how = std::exchange(is_armed_, true) ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (::epoll_ctl(host_.epoll, how, channel_.socket(), &event) != 0) close();
  return false;
}

bool HttpConnection::close() {
  state_ = State::kClosed;
  is_gone_ = true;
  channel_.cut();
  std::shared_ptr<HttpConnection> self;  // goes after the lock
  const std::lock_guard lock(host_.mutex);
  if (const auto found = host_.open.find(this); found != host_.open.end()) {
    self = std::move(found->second);
    host_.open.erase(found);
  }
  return false;
}

void HttpConnection::expire_in(std::int64_t millis) {
  expires_ = monotonic_nanos() + millis * kMilli;
}

bool HttpConnection::is_expired() const { return monotonic_nanos() > expires_; }

// Only the socket is touched: whoever has the connection finds that it has ended.
void HttpConnection::look(std::int64_t now) {
  switch (state_) {
    case State::kAnswering:
      if (now - since_ > kProbeAfterNanos) probe();
      return;
    case State::kReading: {
      const bool is_quiet = host_.is_draining && is_idle_ && now - since_ > kQuietNanos;
      if (is_quiet || now > expires_) ::shutdown(channel_.socket(), SHUT_RD);
      if (now > expires_ + kCutAfterNanos) channel_.cut();
      return;
    }
    case State::kWriting:
    case State::kLingering:
      if (now > expires_) channel_.cut();
      return;
    case State::kClosed:
      return;
  }
}

// A client that has closed its connection cannot be told from one that merely sends no more, until
// something is sent to it: the first answers with a reset. An answer before the answer does no
// harm.
void HttpConnection::probe() {
  const std::lock_guard lock(poke_mutex_);
  if (state_ != State::kAnswering || is_gone_) return;
  pollfd asked{.fd = channel_.socket(), .events = POLLRDHUP, .revents = 0};
  if (::poll(&asked, 1, 0) <= 0) return;
  if ((asked.revents & (POLLERR | POLLHUP)) != 0) {
    is_gone_ = true;
  } else if ((asked.revents & POLLRDHUP) != 0 && !is_probed_) {
    is_probed_ = true;
    channel_.write(kContinue);
  }
}

}  // namespace rill::net
