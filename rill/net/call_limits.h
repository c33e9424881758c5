#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "rill/net/call_record.h"

namespace rill::net {

// How long a call may take, whether its client still waits for it, and where is noted what it was.
struct CallLimits {
  std::int64_t deadline_nanos = 0;     // of monotonic_nanos(); 0: none
  std::function<bool()> is_gone;       // whether the client has left; may be empty
  std::int64_t received_nanos = 0;     // when the whole request had come; 0: just now
  std::shared_ptr<CallRecord> record;  // may be null
};

}  // namespace rill::net
