#pragma once

#include <span>

namespace rill::serve {

// Ends the connections that came in at these ports of this process, whoever has them. What was
// written to them still arrives.
void cut_clients_of(std::span<const int> ports);

}  // namespace rill::serve
