#pragma once

#include <string>

#include "rill/cluster/security.h"

namespace rill::wire {
class StatusResponse;
}

namespace rill::cluster {

class ClusterSpec;

inline constexpr const char* kStatus = "/rill.cluster.Task/Status";

// Adds what is known of the tasks of the cluster by talking to them.
void tell_contacts(const ClusterSpec& cluster, wire::StatusResponse* status);

// What the tasks of a cluster say of themselves, as text: tasks, last contact, sessions, steps, who
// waits for whom and since when. `target` is one of them; it says where the others are. Throws
// Unavailable when it does not answer, Unimplemented when it is TensorFlow's.
std::string cluster_status(const std::string& target, std::int64_t timeout_ms = 3000);

}  // namespace rill::cluster
