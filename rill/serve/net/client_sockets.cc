#include "rill/serve/net/client_sockets.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>

#include "rill/base/text.h"

namespace rill::serve {
namespace {

// 0 when it is no connection of a network.
int port_of(int file, int (*ask)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage place{};
  socklen_t size = sizeof place;
  if (ask(file, reinterpret_cast<sockaddr*>(&place), &size) != 0) return 0;
  if (place.ss_family != AF_INET && place.ss_family != AF_INET6) return 0;
  // The port is at the same place in addresses of both families.
  return ntohs(reinterpret_cast<const sockaddr_in&>(place).sin_port);
}

}  // namespace

void cut_clients_of(std::span<const int> ports) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    long long file = 0;
    if (!parse_int(entry.path().filename().string(), &file)) continue;
    const int port = port_of(static_cast<int>(file), ::getsockname);
    if (port == 0 || std::ranges::find(ports, port) == ports.end()) continue;
    if (port_of(static_cast<int>(file), ::getpeername) == 0) continue;  // it listens
    ::shutdown(static_cast<int>(file), SHUT_RDWR);
  }
}

}  // namespace rill::serve
