#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rill/tensor/dtype.h"
#include "rill/tensor/shape.h"

namespace rill {

// What statistics call a node: made once for every node of a plan, not for every step.
struct NodeTexts {
  std::string node, op, device;
  std::string label;      // "y = Add(x, c:1)", as timelines show it
  std::string allocator;  // of the device's own memory
};

// When and where a node of a step ran, and what it made. Texts and outputs are those that the
// StepStats keeps, and are there as long as it is, or whatever it was moved to.
struct NodeStats {
  std::string_view node, op, device, label, allocator;
  std::int64_t start_micros = 0, end_micros = 0;  // since the Unix epoch
  // Monotonic, for measuring. It could have run, was begun, took so long until its kernel began
  // (outputs allocated), and so long in all.
  std::int64_t scheduled_nanos = 0, start_nanos = 0, prepare_nanos = 0, nanos = 0;
  std::uint32_t thread = 0;
  std::int64_t allocator_in_use = 0;  // bytes, when the node had ended
  std::int64_t temporary_bytes = 0;   // that its kernel took from the host's memory beside results
  struct OutputStats {
    DType type = DType::invalid;
    Shape shape;
    std::int64_t bytes = 0;
    bool is_shared = false;  // its storage is another value's too: nothing was allocated for it
  };
  std::span<const OutputStats> outputs;
};

struct StepStats {
  std::vector<NodeStats> nodes;
  std::vector<std::shared_ptr<const void>> kept;  // what `nodes` point to
  // Where RunOptions::output_partition_graphs asks for them: serialised GraphDefs, one per device.
  std::vector<std::string> partition_graphs;
  // Where SessionOptions::build_cost_model asks for it: a serialised CostGraphDef.
  std::string cost_graph;
  // Of a step that was run elsewhere: a serialised RunMetadata with all of this.
  std::string metadata;
};

}  // namespace rill
