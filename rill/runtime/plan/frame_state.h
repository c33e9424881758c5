#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "rill/kernel/value.h"
#include "rill/runtime/plan/frame_layout.h"
#include "rill/runtime/plan/shape_memo.h"

namespace rill {

struct LoopFrame;

inline void clear(Value& value) {
  if (value.tensor.has_value()) value.tensor = Tensor();
  if (value.ref != nullptr) value.ref.reset();
}

// The state of one iteration of a loop, or of the step itself: the values in its slots, and for
// each node how many inputs are still to come.
struct Iteration {
  std::vector<Value> slots;
  std::vector<int> readers;  // per slot: nodes that still read it
  std::vector<NodeProgress> nodes;
  std::vector<ShapeMemo> memos;   // one per node
  std::vector<Value*> pointers;   // parallel to PlainLoop::addresses, in iterations of plain loops
  std::vector<LoopFrame*> loops;  // that were entered from this iteration and have not ended
  int outstanding = 0;  // nodes started or ready, and loops running, inside this iteration
  std::int64_t number = 0;
};

// One execution of a loop, from its Enters to its last Exit. `iterations` are those that have not
// finished, oldest first, at most parallel_iterations of them.
struct LoopFrame {
  struct Parked {
    int node;
    Value value;
  };
  int layout = 0;  // position in FrameLayout::frames
  LoopFrame* parent = nullptr;
  Iteration* parent_iteration = nullptr;
  std::deque<std::unique_ptr<Iteration>> iterations;
  std::int64_t newest = 0;
  int enters_to_come = 0;
  std::vector<Parked> parked;        // NextIteration values that wait for an iteration to finish
  std::vector<Parked> invariants;    // values of constant Enters, for every iteration
  std::vector<int> dead_invariants;  // constant Enters that were dead
  std::vector<int> dead_exits;       // Exits that were dead in the newest iteration
  std::vector<int> exited;           // Exits that have passed a value on
  std::vector<std::pair<int, bool>> arrived;  // of a plain loop: Enters, and whether dead
};

// Finished iterations, by layout, whose memory the next ones use again, also in later steps.
struct SpareIterations {
  std::vector<std::vector<std::unique_ptr<Iteration>>> by_layout;
};

}  // namespace rill
