#pragma once

#include <functional>

#include "rill/api/training/supervisor.h"

namespace rill::train {

// Calls `train_step` in sessions of the supervisor until it stops; again in a new one where a
// session was aborted. Throws what else the step throws, but the end of the input.
void basic_train_loop(Supervisor& supervisor, const std::function<void(Session&)>& train_step,
                      const ManagedSessionOptions& options = {});

}  // namespace rill::train
