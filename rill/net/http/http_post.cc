#include "rill/net/http/http_post.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include "rill/base/clock.h"
#include "rill/base/error.h"

namespace rill::net {
namespace {

struct PostTarget {
  std::string host, port = "80", path = "/";
};

PostTarget target_of(const std::string& url) {
  constexpr std::string_view kScheme = "http://";
  require(url.starts_with(kScheme), url, " is no address of the form http://host:port/path");
  std::string_view rest = std::string_view(url).substr(kScheme.size());
  PostTarget target;
  if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
    target.path = rest.substr(slash);
    rest = rest.substr(0, slash);
  }
  const auto colon = rest.rfind(':');
  const bool has_port = colon != std::string_view::npos && rest.back() != ']';
  if (has_port) target.port = rest.substr(colon + 1);
  target.host = rest.substr(0, has_port ? colon : rest.size());
  if (target.host.starts_with('[') && target.host.ends_with(']'))
    target.host = target.host.substr(1, target.host.size() - 2);
  long long port = 0;
  require(!target.host.empty() && parse_int(target.port, &port) && port > 0 && port <= 65535 &&
              target.path.find_first_of(" \r\n\t") == std::string::npos,
          url, " is no address of the form http://host:port/path");
  return target;
}

// A connection that waits until a moment and no longer.
class PostConnection {
 public:
  PostConnection(const PostTarget& target, std::int64_t timeout_ms)
      : ends_(monotonic_nanos() + timeout_ms * 1'000'000), name_(target.host + ":" + target.port) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (::getaddrinfo(target.host.c_str(), target.port.c_str(), &hints, &found) != 0)
      raise(Code::kUnavailable, "There is no host ", target.host);
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
    socket_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket_ < 0) fail();
    if (::connect(socket_, found->ai_addr, found->ai_addrlen) == 0) return;
    int error = errno;
    socklen_t size = sizeof error;
    if (error == EINPROGRESS) {
      await(POLLOUT);
      ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
    }
    if (error != 0) fail();
  }
  ~PostConnection() {
    if (socket_ >= 0) ::close(socket_);
  }
  PostConnection(const PostConnection&) = delete;
  PostConnection& operator=(const PostConnection&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count < 0 && errno != EAGAIN && errno != EINTR) fail();
      if (count < 0) await(POLLOUT);
      if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  // What comes first, up to the end of a line.
  std::string read_line() {
    std::string line;
    std::array<char, 512> piece;
    while (line.find('\n') == std::string::npos && line.size() < piece.size()) {
      const ssize_t count = ::recv(socket_, piece.data(), piece.size(), 0);
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) fail();
      if (count < 0) await(POLLIN);
      if (count > 0) line.append(piece.data(), static_cast<std::size_t>(count));
    }
    return line;
  }

 private:
  [[noreturn]] void fail() const { raise(Code::kUnavailable, "Nobody answers at ", name_); }
  void await(short events) const {
    pollfd asked{.fd = socket_, .events = events, .revents = 0};
    const std::int64_t left = (ends_ - monotonic_nanos()) / 1'000'000;
    if (left <= 0 || ::poll(&asked, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000))) <= 0)
      raise(Code::kUnavailable, name_, " does not answer in time");
  }
  const std::int64_t ends_;
  const std::string name_;
  int socket_ = -1;
};

}  // namespace

void check_http_url(const std::string& url) { (void)target_of(url); }

int http_post(const std::string& url, std::string_view content_type, std::string_view body,
              std::int64_t timeout_ms) {
  const PostTarget target = target_of(url);
  PostConnection connection(target, timeout_ms);
  connection.send(str_cat("POST ", target.path, " HTTP/1.1\r\nHost: ", target.host, ":",
                          target.port, "\r\nContent-Type: ", content_type,
                          "\r\nContent-Length: ", body.size(), "\r\nConnection: close\r\n\r\n"));
  connection.send(body);
  const std::string line = connection.read_line();  // "HTTP/1.1 200 OK"
  long long status = 0;
  const auto blank = line.find(' ');
  if (!line.starts_with("HTTP/1.") || blank == std::string::npos ||
      !parse_int(line.substr(blank + 1, 3), &status))
    raise(Code::kUnavailable, "What answers at ", target.host, ":", target.port, " is no HTTP");
  return static_cast<int>(status);
}

}  // namespace rill::net
