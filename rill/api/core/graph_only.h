#pragma once

#include <string_view>

#include "rill/api/core/default_graph.h"
#include "rill/base/error.h"

namespace rill {

// At the head of what belongs to graphs: throws FailedPrecondition with this message where ops
// compute at once.
inline void require_graph_mode(std::string_view message) {
  if (executing_eagerly()) raise(Code::kFailedPrecondition, message);
}

inline constexpr std::string_view kNoQueuePipelines =
    "Input pipelines based on Queues are not supported when eager execution is enabled. Please use "
    "tf.data to ingest data into your model instead.";

}  // namespace rill
