#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rill/kernel/op_guard.h"

namespace rill::cluster {

// What a task does not run for its clients, as words between commas: "read" and "write" (files),
// "files" (both), "network", "code" (of the process, such as functions of Python), "all", and names
// of ops; `allow` names ops that are run all the same. What is "" is as RILL_CLUSTER_REFUSE and
// RILL_CLUSTER_ALLOW say.
struct OpRules {
  std::string refuse = {}, allow = {};
};

// Null where everything is run. Throws InvalidArgument for a word that is neither.
std::shared_ptr<const OpGuard> op_guard(const OpRules& rules);

}  // namespace rill::cluster
