// Predict requests over gRPC by a client that does no more than it must, so that the server has the
// machine: every request is the same bytes behind the number of its stream.
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <stdexcept>
#include <unordered_map>

#include "bench/serve_load.h"

namespace rill::load {
namespace {

enum Frame : std::uint8_t {
  kData = 0,
  kHeaders = 1,
  kReset = 3,
  kSettings = 4,
  kPing = 6,
  kGoAway = 7,
  kWindow = 8,
};
constexpr std::uint8_t kEndStream = 1, kAck = 1, kEndHeaders = 4;
constexpr std::size_t kFrameHead = 9, kMaxFrame = 16384;
constexpr std::uint32_t kRoom = 1u << 30;  // that the server may fill before it must ask

std::uint32_t number(const char* bytes, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}
void put_number(std::uint32_t value, int count, std::string* out) {
  for (int i = count - 1; i >= 0; --i) *out += static_cast<char>(value >> (8 * i) & 0xff);
}
void put_frame(Frame kind, std::uint8_t flags, std::uint32_t stream, std::string_view payload,
               std::string* out) {
  put_number(static_cast<std::uint32_t>(payload.size()), 3, out);
  *out += static_cast<char>(kind);
  *out += static_cast<char>(flags);
  put_number(stream, 4, out);
  *out += payload;
}

std::string deadline_of(const Options& options, const auto& text) {
  if (options.deadline_ms == 0) return {};
  return std::string(1, '\0') + text("grpc-timeout") +
         text(std::to_string(options.deadline_ms) + "m");
}

// Headers of a request in HPACK, without anything that later requests would refer to.
std::string headers_of(const Options& options) {
  const auto text = [](std::string_view value) {
    return std::string(1, static_cast<char>(value.size())) + std::string(value);
  };
  return "\x83\x86\x04" + text("/tensorflow.serving.PredictionService/Predict") + "\x01" +
         text(options.address) + "\x0f\x10" + text("application/grpc") + std::string(1, '\0') +
         text("te") + text("trailers") + deadline_of(options, text);
}

std::string greeting() {
  std::string settings, room, out = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  for (const auto& [name, value] : {std::pair{1u, 0u}, {2u, 0u}, {4u, kRoom}}) {
    put_number(name, 2, &settings);  // no table of headers, no pushing, large windows
    put_number(value, 4, &settings);
  }
  put_number(kRoom, 4, &room);
  put_frame(kSettings, 0, 0, settings, &out);
  put_frame(kWindow, 0, 0, room, &out);
  return out;
}

struct Stream {
  Clock::time_point begun;
  std::int64_t newest = 0;
  std::string message;  // of the answer
};

struct Connection {
  int socket = -1;
  std::string in, out;
  std::unordered_map<std::uint32_t, Stream> streams;
  std::vector<Stream> waiting;  // for room at the server
  std::uint32_t next = 1;
  std::int64_t room = 65535, taken = 0;
};

class Load {
 public:
  Load(const Options& options, Report& report)
      : options_(options),
        report_(report),
        headers_(headers_of(options)),
        connections_(static_cast<std::size_t>(options.connections)),
        epoll_(::epoll_create1(0)),
        pace_(options) {
    const std::string message = predict_message(options);
    message_ += '\0';  // not packed
    put_number(static_cast<std::uint32_t>(message.size()), 4, &message_);
    message_ += message;
    if (message_.size() > 65535)
      throw std::runtime_error("the request is too large for one window");
    for (Connection& connection : connections_) open(connection);
  }
  ~Load() {
    for (const Connection& connection : connections_) ::close(connection.socket);
    ::close(epoll_);
  }

  void run() {
    for (Connection& connection : connections_) {
      for (int i = 0; i < options_.in_flight && !pace_.is_open(); ++i)
        start(connection, Clock::now());
      flush(connection);
    }
    for (;;) {
      while (pace_.is_open() && pace_.next() <= std::min(Clock::now(), pace_.end())) {
        Connection& connection = connections_[chosen_++ % connections_.size()];
        start(connection, pace_.take());
        flush(connection);
      }
      const bool more = pace_.is_open() && !pace_.is_over(pace_.next());
      if (in_flight_ == 0 && !more) return;
      wait(more);
    }
  }

 private:
  void open(Connection& connection) {
    connection = {};
    connection.socket = connect_to(options_.address);
    connection.out = greeting();
    epoll_event event{.events = EPOLLIN, .data = {.ptr = &connection}};
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.socket, &event);
  }

  void wait(bool more) {
    timespec patience{.tv_sec = 60, .tv_nsec = 0};
    if (more) {
      const auto left = std::max<std::int64_t>(0, (pace_.next() - Clock::now()).count());
      patience = {.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    }
    epoll_event events[64];
    const int count = ::epoll_pwait2(epoll_, events, 64, &patience, nullptr);
    if (count == 0 && !more) throw std::runtime_error("no answer for a minute");
    for (int i = 0; i < count; ++i) {
      auto& connection = *static_cast<Connection*>(events[i].data.ptr);
      if (receive(connection)) flush(connection);
    }
  }

  void start(Connection& connection, Clock::time_point begun) {
    ++in_flight_;
    connection.waiting.push_back({.begun = begun, .newest = report_.highest});
    send_waiting(connection);
  }
  void send_waiting(Connection& connection) {
    std::size_t sent = 0;
    for (; sent < connection.waiting.size(); ++sent) {
      if (connection.room < static_cast<std::int64_t>(message_.size())) break;
      connection.room -= static_cast<std::int64_t>(message_.size());
      put_request(connection, std::move(connection.waiting[sent]));
    }
    connection.waiting.erase(connection.waiting.begin(),
                             connection.waiting.begin() + static_cast<std::ptrdiff_t>(sent));
  }
  void put_request(Connection& connection, Stream stream) {
    const std::uint32_t id = connection.next;
    connection.next += 2;
    put_frame(kHeaders, kEndHeaders, id, headers_, &connection.out);
    for (std::size_t at = 0; at < message_.size(); at += kMaxFrame) {
      const std::string_view piece = std::string_view(message_).substr(at, kMaxFrame);
      put_frame(kData, at + piece.size() == message_.size() ? kEndStream : 0, id, piece,
                &connection.out);
    }
    connection.streams.emplace(id, std::move(stream));
  }

  // Sends what there is, and waits for the server to take it: it does, or nothing goes on anyway.
  void flush(Connection& connection) {
    for (std::size_t at = 0; at < connection.out.size();) {
      const ssize_t count = ::send(connection.socket, connection.out.data() + at,
                                   connection.out.size() - at, MSG_NOSIGNAL);
      if (count < 0) return lose(connection, "the connection broke");
      at += static_cast<std::size_t>(count);
    }
    connection.out.clear();
  }

  // False when the connection is another one now.
  bool receive(Connection& connection) {
    const ssize_t count = ::recv(connection.socket, piece_, sizeof piece_, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) return lose(connection, "the connection was closed"), false;
    connection.in.append(piece_, static_cast<std::size_t>(count));
    std::size_t at = 0;
    while (connection.in.size() >= at + kFrameHead) {
      const std::size_t size = number(&connection.in[at], 3);
      if (connection.in.size() < at + kFrameHead + size) break;
      handle(connection, static_cast<Frame>(connection.in[at + 3]),
             static_cast<std::uint8_t>(connection.in[at + 4]),
             number(&connection.in[at + 5], 4) & 0x7fffffff,
             std::string_view(connection.in).substr(at + kFrameHead, size));
      at += kFrameHead + size;
    }
    connection.in.erase(0, at);
    return true;
  }

  void handle(Connection& connection, Frame kind, std::uint8_t flags, std::uint32_t id,
              std::string_view payload) {
    if (kind == kSettings && (flags & kAck) == 0)
      put_frame(kSettings, kAck, 0, {}, &connection.out);
    if (kind == kPing && (flags & kAck) == 0) put_frame(kPing, kAck, 0, payload, &connection.out);
    if (kind == kWindow && id == 0) {
      connection.room += number(payload.data(), 4);
      send_waiting(connection);
    }
    const auto stream = connection.streams.find(id);
    if (stream == connection.streams.end()) return;
    if (kind == kData) {
      stream->second.message += payload;
      make_room(connection, payload.size());
    }
    const bool ends = (kind == kHeaders || kind == kData) && (flags & kEndStream) != 0;
    if (ends || kind == kReset) finish(connection, stream);
  }

  void make_room(Connection& connection, std::size_t size) {
    connection.taken += static_cast<std::int64_t>(size);
    if (connection.taken < kRoom / 2) return;
    std::string payload;
    put_number(static_cast<std::uint32_t>(connection.taken), 4, &payload);
    put_frame(kWindow, 0, 0, payload, &connection.out);
    connection.taken = 0;
  }

  // An answer that is no error has a message.
  void finish(Connection& connection, std::unordered_map<std::uint32_t, Stream>::iterator found) {
    const Stream stream = std::move(found->second);
    connection.streams.erase(found);
    --in_flight_;
    const auto now = Clock::now();
    report_.latencies.add(now - stream.begun);
    if (stream.message.size() < 5)
      report_.fail("an error");
    else
      report_.answered(now - stream.begun, options_);
    if (stream.message.size() >= 5 && options_.reads_versions)
      see_answer(stream.message.substr(5), stream.newest, &report_);
    if (!pace_.is_open() && !pace_.is_over(now)) start(connection, now);
  }

  void lose(Connection& connection, const char* why) {
    ::close(connection.socket);
    const std::size_t lost = connection.streams.size() + connection.waiting.size();
    for (std::size_t i = 0; i < lost; ++i) report_.fail(why);
    in_flight_ -= static_cast<int>(lost);
    open(connection);
    for (std::size_t i = 0; i < lost && !pace_.is_open(); ++i)
      if (const auto now = Clock::now(); !pace_.is_over(now)) start(connection, now);
  }

  const Options& options_;
  Report& report_;
  const std::string headers_;
  std::string message_;
  std::vector<Connection> connections_;
  const int epoll_;
  Pace pace_;
  std::size_t chosen_ = 0;
  int in_flight_ = 0;
  char piece_[1 << 16];
};

}  // namespace

void run_h2(const Options& options, Report* report) {
  std::make_unique<Load>(options, *report)->run();
}

}  // namespace rill::load
