#pragma once

#include "rill/api/train/coordinator.h"

namespace rill::train {

// Gives the registered threads a moment to end, at most so long; true where those that still run
// are queue runners. Such a one may wait for what only more steps would bring, as for gradients of
// replicas: it ends with its session, and what it would put in nobody takes any more.
bool only_queue_runners_wait(const Coordinator& coord, double timeout_secs);

}  // namespace rill::train
