#pragma once

#include <memory>
#include <string>

#include "rill/ops/debug/debug_target.h"

namespace rill {

// Streams events to TensorFlow's EventListener at "HOST:PORT" or "HOST:PORT/PATH". The connection
// is opened with the first event and closed with the run. What it throws is Unavailable.
std::shared_ptr<DebugTarget> make_grpc_target(const std::string& address);

}  // namespace rill
