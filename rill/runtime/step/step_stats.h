#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rill/tensor/dtype.h"

namespace rill {

// When and where each node of a step ran; times in microseconds since the Unix epoch.
struct NodeStats {
  std::string node, op, device;
  std::string label;  // "y = Add(x, c:1)", as timelines show it
  std::int64_t start_micros = 0, end_micros = 0;
  std::int64_t start_nanos = 0, nanos = 0;  // monotonic, for measuring
  std::uint32_t thread = 0;
  std::string allocator;              // of the device's own memory
  std::int64_t allocator_in_use = 0;  // bytes, when the node had ended
  struct OutputStats {
    DType type = DType::invalid;
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0;
    bool is_shared = false;  // its storage is another value's too: nothing was allocated for it
  };
  std::vector<OutputStats> outputs;
};

struct StepStats {
  std::vector<NodeStats> nodes;
  // Where RunOptions::output_partition_graphs asks for them: serialised GraphDefs, one per device.
  std::vector<std::string> partition_graphs;
  // Of a step that was run elsewhere: a serialised RunMetadata with all of this.
  std::string metadata;
};

}  // namespace rill
