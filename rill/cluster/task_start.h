#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "rill/cluster/step_rendezvous.h"

namespace tensorflow {
class GetStatusResponse;
}

namespace rill::cluster {

struct StartLimits {
  std::int64_t timeout_ms = 0;    // 0: RILL_CLUSTER_WAIT_SECONDS, or an hour
  std::function<bool()> is_gone;  // whether nobody waits any more; may be empty
  // Tasks that are left out where nobody listens: they were there before, and have ended.
  std::set<std::string> optional = {};
};

// Waits until all of these tasks are there, and logs every ten seconds for whom. Throws
// DeadlineExceeded when the time is over, Cancelled when nobody waits any more.
std::map<std::string, std::shared_ptr<tensorflow::GetStatusResponse>> wait_for_tasks(
    const Links& links, const StartLimits& limits);

}  // namespace rill::cluster
