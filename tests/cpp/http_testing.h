#pragma once

// For tests alone: a client that speaks just enough HTTP.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "rill/base/text.h"

namespace rill {

struct HttpAnswer {
  int status = 0;
  std::string headers, body;
};

class HttpClient {
 public:
  explicit HttpClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~HttpClient() { ::close(socket_); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  HttpAnswer ask(const std::string& method, const std::string& target, const std::string& body,
                 const std::string& headers) {
    return raw(str_cat(method, " ", target, " HTTP/1.1\r\nHost: localhost\r\nContent-Length: ",
                       body.size(), "\r\n", headers, "\r\n", body));
  }
  // Sends these bytes and reads one answer; nothing when the connection ends.
  HttpAnswer raw(const std::string& bytes) {
    ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    std::string text;
    std::size_t head = std::string::npos, length = 0;
    char piece[4096];
    while (head == std::string::npos || text.size() < head + length) {
      const ssize_t count = ::recv(socket_, piece, sizeof piece, 0);
      if (count <= 0) return {};
      text.append(piece, static_cast<std::size_t>(count));
      if (head != std::string::npos || text.find("\r\n\r\n") == std::string::npos) continue;
      head = text.find("\r\n\r\n") + 4;
      const std::string lowered = lower(text.substr(0, head));
      if (const auto at = lowered.find("content-length: "); at != std::string::npos)
        length = std::stoul(lowered.substr(at + 16));
    }
    return {std::stoi(text.substr(9, 3)), text.substr(0, head), text.substr(head)};
  }

 private:
  const int socket_;
};

}  // namespace rill
