#pragma once

// For tests alone: a client that sends and reads bytes as it is told.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace rill {

class RawClient {
 public:
  // Gives up connecting after a while: a server that ends leaves first packets unanswered.
  explicit RawClient(int port, int connect_millis = 20'000)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    set_patience(20'000);
    set_limit(SO_SNDTIMEO, connect_millis);
    is_connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    set_limit(SO_SNDTIMEO, 20'000);
  }
  ~RawClient() { leave(); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool is_connected() const { return is_connected_; }
  void set_patience(int millis) { set_limit(SO_RCVTIMEO, millis); }
  bool send(std::string_view bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  void end_sending() { ::shutdown(socket_, SHUT_WR); }
  void leave() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  // With a reset instead of an orderly end.
  void vanish() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    leave();
  }
  // Until this has come, or the connection ends.
  std::string read_until(std::string_view end) {
    while (text_.find(end) == std::string::npos)
      if (!read_some()) return std::exchange(text_, {});
    const std::size_t size = text_.find(end) + end.size();
    std::string first = text_.substr(0, size);
    text_.erase(0, size);
    return first;
  }
  std::string read_all() {
    while (read_some()) {
    }
    return std::exchange(text_, {});
  }

 private:
  void set_limit(int which, int millis) {
    const timeval limit{.tv_sec = millis / 1000, .tv_usec = millis % 1000 * 1000};
    ::setsockopt(socket_, SOL_SOCKET, which, &limit, sizeof limit);
  }

  bool read_some() {
    char piece[65536];
    const ssize_t count = ::recv(socket_, piece, sizeof piece, 0);
    if (count > 0) text_.append(piece, static_cast<std::size_t>(count));
    return count > 0;
  }
  int socket_;
  bool is_connected_ = false;
  std::string text_;
};

}  // namespace rill
