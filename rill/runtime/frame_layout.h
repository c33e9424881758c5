#pragma once

#include <string>
#include <vector>

namespace rill {

class Plan;

// Which loop each node and slot of a plan belongs to, known before anything runs. Frame 0 is the
// step itself; every other frame is a loop, entered through its Enter nodes.
struct FrameLayout {
  struct Frame {
    std::string name;
    int parent = -1;
    int enter_count = 0;
    int parallel_iterations = 1;
    std::vector<int> nodes, slots;  // what belongs to it, in the plan's numbering
  };
  // An edge as its source sees it: output -1 is a control edge.
  struct Edge {
    int output, to, input;
  };

  explicit FrameLayout(const Plan& plan);  // throws InvalidArgument when frames do not nest

  std::vector<Frame> frames;
  std::vector<int> frame_of_node;    // where the node runs
  std::vector<int> frame_of_output;  // where its outputs arrive: differs for Enter and Exit
  std::vector<int> local_node;       // position of the node in its frame's list
  std::vector<int> local_slot;       // position of the slot in its frame's list
  std::vector<std::vector<Edge>> out_edges;
  std::vector<int> data_inputs, control_inputs;  // per node: edges from other nodes
};

}  // namespace rill
