// Predict requests over HTTP: connections that stay, one request at a time on each.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <stdexcept>

#include "bench/serve_load.h"

namespace rill::load {
namespace {

std::string request_of(const Options& options) {
  std::string row = "1.0";
  if (options.width > 1) {
    row = "[1.0";
    for (int i = 1; i < options.width; ++i) row += ",1.0";
    row += "]";
  }
  std::string body = "{\"instances\": [" + row;
  for (int i = 1; i < options.rows; ++i) body += "," + row;
  body += "]}";
  return "POST /v1/models/" + options.model + ":predict HTTP/1.1\r\nHost: " + options.address +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

// An answer as far as it has come.
struct Answer {
  std::string text;
  std::size_t head = 0, length = 0;  // of the headers, of the body; 0: not known

  bool is_whole() {
    if (head == 0) {
      const auto end = text.find("\r\n\r\n");
      if (end == std::string::npos) return false;
      head = end + 4;
      const char kName[] = "\r\nContent-Length: ";
      const auto at = text.find(kName);
      if (at < end) length = std::strtoul(text.c_str() + at + sizeof kName - 1, nullptr, 10);
    }
    return text.size() >= head + length;
  }
  bool is_good() const { return text.compare(8, 5, " 200 ") == 0; }
  // The first number of {"predictions": [2.5, ...]}.
  double first_value() const {
    const auto at = text.find('[', head);
    double value = NAN;
    if (at != std::string::npos) std::from_chars(&text[at + 1], text.data() + text.size(), value);
    return value;
  }
};

struct Connection {
  int socket = -1;
  Answer answer;
  std::size_t unsent = 0;
  bool is_busy = false;
  Clock::time_point begun;
  std::int64_t newest = 0;
};

class Load {
 public:
  Load(const Options& options, Report& report)
      : options_(options),
        report_(report),
        request_(request_of(options)),
        connections_(static_cast<std::size_t>(options.connections * options.in_flight)),
        epoll_(::epoll_create1(0)),
        pace_(options) {
    for (Connection& connection : connections_) open(connection);
  }
  ~Load() {
    for (const Connection& connection : connections_) ::close(connection.socket);
    ::close(epoll_);
  }

  void run() {
    for (Connection& connection : connections_)
      if (pace_.is_open())
        idle_.push_back(&connection);
      else
        start(connection, Clock::now());
    for (;;) {
      if (pace_.is_open()) start_due();
      const bool more = pace_.is_open() && (!late_.empty() || !pace_.is_over(pace_.next()));
      if (busy_ == 0 && !more) return;
      wait(more);
    }
  }

 private:
  void open(Connection& connection) {
    connection = {};
    connection.socket = connect_to(options_.address);
    epoll_event event{.events = EPOLLIN, .data = {.ptr = &connection}};
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.socket, &event);
  }

  // Requests whose time has come; those for which no connection is free wait, and that counts.
  void start_due() {
    const auto now = std::min(Clock::now(), pace_.end());
    while (pace_.next() < now) late_.push_back(pace_.take());
    while (!late_.empty() && !idle_.empty()) {
      Connection* connection = idle_.front();
      idle_.pop_front();
      start(*connection, late_.front());
      late_.pop_front();
    }
  }

  void wait(bool more) {
    timespec patience{.tv_sec = 60, .tv_nsec = 0};
    if (more && late_.empty()) {
      const auto left = std::max<std::int64_t>(0, (pace_.next() - Clock::now()).count());
      patience = {.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    }
    epoll_event events[64];
    const int count = ::epoll_pwait2(epoll_, events, 64, &patience, nullptr);
    if (count == 0 && !more) throw std::runtime_error("no answer for a minute");
    for (int i = 0; i < count; ++i)
      serve(*static_cast<Connection*>(events[i].data.ptr), events[i].events);
  }

  void start(Connection& connection, Clock::time_point begun) {
    connection.begun = begun;
    connection.newest = report_.highest;
    connection.answer = {};
    connection.unsent = request_.size();
    connection.is_busy = true;
    ++busy_;
    send(connection);
  }

  void send(Connection& connection) {
    while (connection.unsent > 0) {
      const ssize_t count =
          ::send(connection.socket, request_.data() + request_.size() - connection.unsent,
                 connection.unsent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0 && errno != EAGAIN) return lose(connection, "the connection broke");
      if (count < 0) break;
      connection.unsent -= static_cast<std::size_t>(count);
    }
    const bool is_stuck = connection.unsent > 0;
    if (!is_stuck && request_.size() < 65536) return;  // small ones never wait
    epoll_event event{.events = EPOLLIN | (is_stuck ? EPOLLOUT : 0u), .data = {.ptr = &connection}};
    ::epoll_ctl(epoll_, EPOLL_CTL_MOD, connection.socket, &event);
  }

  void serve(Connection& connection, std::uint32_t events) {
    if ((events & EPOLLOUT) != 0) send(connection);
    if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0) return;
    const ssize_t count = ::recv(connection.socket, piece_, sizeof piece_, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return lose(connection, "the connection was closed");
    connection.answer.text.append(piece_, static_cast<std::size_t>(count));
    if (connection.is_busy && connection.answer.is_whole()) finish(connection);
  }

  void lose(Connection& connection, const char* why) {
    ::close(connection.socket);
    if (connection.is_busy) {
      report_.fail(why);
      --busy_;
    }
    open(connection);
    release(connection);
  }

  void finish(Connection& connection) {
    --busy_;
    connection.is_busy = false;
    const auto taken = Clock::now() - connection.begun;
    report_.latencies.add(taken);
    if (!connection.answer.is_good())
      report_.fail(connection.answer.text);
    else
      report_.answered(taken, options_);
    if (connection.answer.is_good() && options_.reads_versions) see(connection);
    release(connection);
  }

  void see(const Connection& connection) {
    const double version = connection.answer.first_value() - 0.5;
    if (!(std::abs(version - std::round(version)) < 1e-3)) {
      ++report_.wrong;
      return;
    }
    report_.see(std::llround(version), connection.newest);
  }

  // The connection takes the next request.
  void release(Connection& connection) {
    if (pace_.is_open())
      idle_.push_back(&connection);
    else if (const auto now = Clock::now(); !pace_.is_over(now))
      start(connection, now);
  }

  const Options& options_;
  Report& report_;
  const std::string request_;
  std::vector<Connection> connections_;
  std::deque<Connection*> idle_;        // in open loops
  std::deque<Clock::time_point> late_;  // when those that wait for a connection should have gone
  const int epoll_;
  Pace pace_;
  int busy_ = 0;
  char piece_[1 << 16];
};

}  // namespace

int connect_to(const std::string& address) {
  const auto colon = address.rfind(':');
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1))));
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (::inet_pton(AF_INET, address.substr(0, colon).c_str(), &place.sin_addr) != 1 ||
      ::connect(socket, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0)
    throw std::runtime_error("cannot connect to " + address);
  return socket;
}

void run_http(const Options& options, Report* report) { Load(options, *report).run(); }

}  // namespace rill::load
