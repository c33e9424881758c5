#include "rill/net/socket/listener.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#include "rill/base/error.h"

namespace rill::net {
namespace {

constexpr std::string_view kUnixScheme = "unix:", kFileScheme = "fd:";
constexpr int kWaiting = 4096;  // connections that have not been accepted; the system may lower it

[[noreturn]] void cannot_listen(const std::string& place) {
  raise(Code::kUnavailable, "Cannot listen at ", place, ": ", std::strerror(errno));
}

}  // namespace

Listener::Listener(const std::string& address, int port) {
  if (address.starts_with(kUnixScheme))
    open_unix(address.substr(kUnixScheme.size()));
  else if (address.starts_with(kFileScheme))
    adopt(address.substr(kFileScheme.size()));
  else
    open_network(address, port);
}

Listener::~Listener() { close(); }

void Listener::open_unix(const std::string& path) {
  sockaddr_un place{};
  require(!path.empty() && path.size() < sizeof place.sun_path,
          "This is no path of a socket: ", path);
  place.sun_family = AF_UNIX;
  std::memcpy(place.sun_path, path.data(), path.size());
  struct stat there {};
  if (::lstat(path.c_str(), &there) == 0 && S_ISSOCK(there.st_mode)) ::unlink(path.c_str());
  socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0 || ::bind(socket_, reinterpret_cast<sockaddr*>(&place), sizeof place) != 0 ||
      ::listen(socket_, kWaiting) != 0) {
    const int error = errno;
    close();
    errno = error;
    cannot_listen(path);
  }
  path_ = path;
}

void Listener::open_network(const std::string& address, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  if (::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
    raise(Code::kInvalidArgument, "This is no address: ", address);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, ::freeaddrinfo);
  socket_ = ::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  if (socket_ >= 0) ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  if (socket_ < 0 || ::bind(socket_, found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(socket_, kWaiting) != 0 ||
      ::getsockname(socket_, reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
    const int error = errno;
    close();
    errno = error;
    cannot_listen(str_cat(address, ":", port));
  }
  // The port is at the same place in addresses of both families.
  port_ = ntohs(reinterpret_cast<const sockaddr_in&>(bound).sin_port);
}

void Listener::adopt(const std::string& number) {
  long long file = -1;
  int listens = 0;
  socklen_t size = sizeof listens;
  require(parse_int(number, &file) && file >= 0 && file <= std::numeric_limits<int>::max(),
          "This is no number of an open socket: ", number);
  const int socket = static_cast<int>(file);
  if (::getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0)
    raise(Code::kInvalidArgument, "The open file ", number, " is no socket that is listened at");
  sockaddr_storage bound{};
  size = sizeof bound;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size);
  const bool is_network = bound.ss_family == AF_INET || bound.ss_family == AF_INET6;
  if (is_network) port_ = ntohs(reinterpret_cast<const sockaddr_in&>(bound).sin_port);
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
  socket_ = socket;
  is_shared_ = true;
}

Listener::Accepted Listener::accept() {
  while (true) {
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket >= 0) {
      const int on = 1;
      if (path_.empty()) ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return {.socket = socket};
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    return {.is_out_of_room =
                errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM};
  }
}

// Closing a listening socket resets who has connected but was not accepted. A filter that drops
// first packets keeps more from coming while the rest is accepted; it lets the last packet of a
// handshake through, whose client believes to be connected already.
void Listener::stop_new() {
  // Who comes to a shared one waits there for whoever listens next.
  if (socket_ < 0 || is_shared_) return;
  constexpr std::uint32_t kFlagsOffset = 13, kSyn = 2;  // of TCP's header
  sock_filter no_first[] = {BPF_STMT(BPF_LD | BPF_B | BPF_ABS, kFlagsOffset),
                            BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kSyn, 0, 1),
                            BPF_STMT(BPF_RET | BPF_K, 0),
                            BPF_STMT(BPF_RET | BPF_K, ~std::uint32_t{0})};
  const sock_fprog program{.len = std::size(no_first), .filter = no_first};
  if (path_.empty())
    ::setsockopt(socket_, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
  else
    ::unlink(path_.c_str());
}

void Listener::close() {
  if (socket_ < 0) return;
  ::close(socket_);
  if (!path_.empty()) ::unlink(path_.c_str());
  socket_ = -1;
}

}  // namespace rill::net
