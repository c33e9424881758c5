#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rill/base/subscript.h"
#include "rill/runtime/plan/plain_loop.h"

namespace rill {

class Plan;

// How far a node of one iteration has come: it is ready when nothing is left to wait for.
struct NodeProgress {
  int waiting = 0;      // inputs, control edges included, still to come; of a Merge: control edges
  int data = 0;         // of a Merge: data inputs still to come
  int live_input = -1;  // of a Merge: the input that arrived alive; of a Switch: the output taken
  bool dead = false;    // something it needs is dead
  bool started = false;
};

// The static part of TensorFlow's frames, computed when the plan is made: which loop (frame) each
// node and each slot belongs to, and the edges between nodes. Frame 0 is the step itself; every
// other frame is a loop, entered through its Enter nodes. At run time a LoopFrame is one execution
// of a frame, and an Iteration holds its slots.
struct FrameLayout {
  enum class Kind : std::uint8_t {
    kKernel,
    kSwitch,
    kMerge,
    kEnter,
    kConstantEnter,
    kExit,
    kNextIteration,
    kSend,
    kRecv,
  };
  // An edge as its source sees it: output -1 is a control edge, which is dead only if the whole
  // node is; input -1 brings no value, only whether it is dead.
  struct Edge {
    int output, to, input;
  };
  // Nodes have the plan's numbers.
  struct Node {
    Kind kind = Kind::kKernel;
    bool runs_dead = false;
    int frame = 0;         // where it runs
    int output_frame = 0;  // where its outputs arrive: differs for Enter and Exit
    int local = 0;         // its position in its frame's list
    int edge_begin = 0, edge_end = 0;
    int input_begin = 0, output_begin = 0;  // into `addresses`
    int release_begin = 0, release_end = 0;
  };
  struct Frame {
    std::string name;
    int parent = -1;
    int enter_count = 0;
    int parallel_iterations = 1;
    std::vector<int> nodes;  // what runs in it, in the plan's order
    // How an iteration begins.
    std::vector<NodeProgress> progress;      // per node
    std::vector<int> readers;                // per slot: how many nodes read it
    std::unique_ptr<const PlainLoop> plain;  // if it is that plain
  };

  explicit FrameLayout(const Plan& plan);  // throws InvalidArgument when frames do not nest

  // Where a value lies: slot `a` of its iteration, or slot ~a of the workspace for what every
  // iteration of every frame sees, that is feeds and constants.
  std::vector<int> addresses;
  std::vector<Frame> frames;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<int> releases;      // per node: slots of its iteration that it reads
  std::vector<int> slot_address;  // per slot of the plan
};

}  // namespace rill
