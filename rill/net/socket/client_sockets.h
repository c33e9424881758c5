#pragma once

#include <span>
#include <string>

namespace rill::net {

// Ends the connections that came in at these ports and socket files of this process, whoever has
// them. What was written to them still arrives.
void cut_clients_of(std::span<const int> ports, std::span<const std::string> paths);

}  // namespace rill::net
