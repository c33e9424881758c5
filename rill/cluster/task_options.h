#pragma once

#include "rill/cluster/op_rules.h"
#include "rill/cluster/security.h"

namespace rill::cluster {

// What a server is started with beside its ServerDef.
struct TaskOptions {
  SecurityOptions security = {};
  OpRules ops = {};
};

}  // namespace rill::cluster
