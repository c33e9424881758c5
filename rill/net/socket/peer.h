#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rill::net {

// Who is at the other end of a connection: "127.0.0.1:4711", "[::1]:4711", "uid:1000 pid:17" of a
// socket file.
std::string peer_of(int socket);

// Users who may connect by a socket file; others are sent away. Empty: everybody who may open the
// file. Connections of networks have no user and pass.
using AllowedUsers = std::vector<std::uint32_t>;
bool may_come_in(int socket, const AllowedUsers& users);

// Sockets that a service manager opened for this process (systemd's LISTEN_FDS), as addresses for a
// Listener ("fd:3"), by the name that the manager gave them ("rest"); those without a name are
// "unknown". They are handed out once.
std::multimap<std::string, std::string> inherited_sockets();

}  // namespace rill::net
