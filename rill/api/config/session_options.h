#pragma once

#include "rill/runtime/session/session.h"

namespace rill::config {

// What the settings of config.h say of sessions: what programs in Python get that give a session no
// options of its own.
SessionOptions session_options();

}  // namespace rill::config
