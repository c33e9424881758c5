#include "rill/net/socket/connect.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "rill/base/text.h"

namespace rill::net {
namespace {

constexpr std::string_view kUnix = "unix:";

// Without the scheme that gRPC lets addresses have.
std::string plain(const std::string& address) {
  for (const std::string_view scheme : {"dns:///", "ipv4:", "ipv6:"})
    if (address.starts_with(scheme)) return address.substr(scheme.size());
  return address;
}

// What other processes write is answered at once, and a machine that is gone is noticed.
void set_up(int socket) {
  const int one = 1, millis = 20'000;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &millis, sizeof millis);
  ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
}

// 0, or why not as errno has it.
int connect_socket(int socket, const sockaddr* to, socklen_t size, int timeout_ms) {
  if (::connect(socket, to, size) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd wanted{.fd = socket, .events = POLLOUT, .revents = 0};
  int ready = 0;
  while ((ready = ::poll(&wanted, 1, timeout_ms)) < 0 && errno == EINTR) {
  }
  if (ready <= 0) return ready == 0 ? ETIMEDOUT : errno;
  int error = 0;
  socklen_t length = sizeof error;
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length);
  return error;
}

Connected connect_file(const std::string& path, int timeout_ms) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  if (path.size() >= sizeof to.sun_path) return {.error = "the path of the socket is too long"};
  std::memcpy(to.sun_path, path.data(), path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return {.error = std::strerror(errno)};
  const int error =
      connect_socket(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to, timeout_ms);
  if (error == 0) return {.socket = socket, .error = {}};
  ::close(socket);
  return {.error = std::strerror(error)};
}

}  // namespace

std::string host_of(const std::string& address) {
  const std::string text = plain(address);
  const std::string host = text.substr(0, text.rfind(':'));
  if (host.size() > 1 && host.front() == '[' && host.back() == ']')
    return host.substr(1, host.size() - 2);
  return host;
}

Connected connect_to(const std::string& address, int timeout_ms) {
  if (address.starts_with(kUnix)) return connect_file(address.substr(kUnix.size()), timeout_ms);
  const std::string text = plain(address);
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {.error = "the address has no port"};
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  if (const int failure =
          ::getaddrinfo(host_of(text).c_str(), text.substr(colon + 1).c_str(), &wanted, &list);
      failure != 0)
    return {.error = str_cat("DNS resolution failed for ", text, ": ", ::gai_strerror(failure))};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> found(list, ::freeaddrinfo);
  std::string why = "the name has no address";
  for (const addrinfo* at = list; at != nullptr; at = at->ai_next) {
    const int socket =
        ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);
    if (socket < 0) {
      why = std::strerror(errno);
      continue;
    }
    set_up(socket);
    const int error = connect_socket(socket, at->ai_addr, at->ai_addrlen, timeout_ms);
    if (error == 0) return {.socket = socket, .error = {}};
    ::close(socket);
    why = str_cat("Failed to connect to remote host: ", std::strerror(error));
  }
  return {.error = str_cat(text, ": ", why)};
}

}  // namespace rill::net
