#include "rill/net/socket/client_sockets.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "rill/base/text.h"

namespace rill::net {
namespace {

bool is_among(const sockaddr_storage& place, std::span<const int> ports,
              std::span<const std::string> paths) {
  if (place.ss_family == AF_UNIX) {
    const std::string_view path = reinterpret_cast<const sockaddr_un&>(place).sun_path;
    return !path.empty() && std::ranges::find(paths, path) != paths.end();
  }
  if (place.ss_family != AF_INET && place.ss_family != AF_INET6) return false;
  // The port is at the same place in addresses of both families.
  const int port = ntohs(reinterpret_cast<const sockaddr_in&>(place).sin_port);
  return port != 0 && std::ranges::find(ports, port) != ports.end();
}

}  // namespace

void cut_clients_of(std::span<const int> ports, std::span<const std::string> paths) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    long long number = 0;
    if (!parse_int(entry.path().filename().string(), &number)) continue;
    const int file = static_cast<int>(number);
    sockaddr_storage own{}, other{};
    socklen_t own_size = sizeof own, other_size = sizeof other;
    if (::getsockname(file, reinterpret_cast<sockaddr*>(&own), &own_size) != 0) continue;
    if (!is_among(own, ports, paths)) continue;
    // One that listens has nobody at its other end.
    if (::getpeername(file, reinterpret_cast<sockaddr*>(&other), &other_size) != 0) continue;
    ::shutdown(file, SHUT_RDWR);
  }
}

}  // namespace rill::net
