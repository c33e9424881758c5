#pragma once

#include <cstdint>
#include <functional>

namespace rill::net {

// How long a call may take, and whether its client still waits for it.
struct CallLimits {
  std::int64_t deadline_nanos = 0;  // of monotonic_nanos(); 0: none
  std::function<bool()> is_gone;    // whether the client has left; may be empty
  std::int64_t received_nanos = 0;  // when the whole request had come; 0: just now
};

}  // namespace rill::net
