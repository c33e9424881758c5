#include "rill/net/socket/peer.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "rill/base/text.h"

namespace rill::net {
namespace {

constexpr int kFirstInherited = 3;

std::optional<ucred> user_of(int socket) {
  ucred user{};
  socklen_t size = sizeof user;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &user, &size) != 0) return std::nullopt;
  return user;
}

int family_of(int socket) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) != 0) return AF_UNSPEC;
  return own.ss_family;
}

}  // namespace

std::string peer_of(int socket) {
  sockaddr_storage other{};
  socklen_t size = sizeof other;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&other), &size) != 0) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (other.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(other);
    ::inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
    return str_cat(text.data(), ":", ntohs(v4.sin_port));
  }
  if (other.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(other);
    ::inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
    return str_cat("[", text.data(), "]:", ntohs(v6.sin6_port));
  }
  const auto user = user_of(socket);
  return user ? str_cat("uid:", user->uid, " pid:", user->pid) : std::string("unix");
}

bool may_come_in(int socket, const AllowedUsers& users) {
  if (users.empty() || family_of(socket) != AF_UNIX) return true;
  const auto user = user_of(socket);
  return user && std::ranges::find(users, user->uid) != users.end();
}

std::multimap<std::string, std::string> inherited_sockets() {
  const char* const process = std::getenv("LISTEN_PID");
  const char* const count_text = std::getenv("LISTEN_FDS");
  const char* const names_text = std::getenv("LISTEN_FDNAMES");
  long long owner = 0, count = 0;
  std::multimap<std::string, std::string> sockets;
  if (process == nullptr || count_text == nullptr || !parse_int(process, &owner) ||
      owner != ::getpid() || !parse_int(count_text, &count))
    return sockets;
  const std::string all = names_text == nullptr ? "" : names_text;
  const std::vector<std::string_view> names = split(all, ':');
  for (int i = 0; i < std::min(count, 64LL); ++i) {
    const int socket = kFirstInherited + i;
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    const auto at = static_cast<std::size_t>(i);
    const bool is_named = at < names.size() && !names[at].empty();
    sockets.emplace(is_named ? std::string(names[at]) : "unknown", str_cat("fd:", socket));
  }
  // Not for whom this process may start.
  for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(name);
  return sockets;
}

}  // namespace rill::net
