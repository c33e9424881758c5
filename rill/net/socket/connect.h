#pragma once

#include <string>

namespace rill::net {

// A connection that this process began.
struct Connected {
  int socket = -1;    // does not wait; -1: there is none
  std::string error;  // then: why
};

// Connects to "host:port", "[host]:port", "dns:///host:port" or "unix:PATH", and waits for it so
// long at most, not counting what names take to be resolved.
Connected connect_to(const std::string& address, int timeout_ms);

// The host of such an address, which a certificate must name.
std::string host_of(const std::string& address);

}  // namespace rill::net
