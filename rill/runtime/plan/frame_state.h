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

// One round of a loop (or the step itself): its values and how far its nodes have come.
struct Round {
  std::vector<Value> slots;
  std::vector<int> readers;  // per slot: nodes that still read it
  std::vector<NodeProgress> nodes;
  std::vector<ShapeMemo> memos;   // one per node
  std::vector<Value*> pointers;   // parallel to PlainLoop::addresses, in rounds of plain loops
  std::vector<LoopFrame*> loops;  // that were entered from this round and have not ended
  int outstanding = 0;            // nodes started or ready, and loops running, inside this round
  std::int64_t number = 0;
};

// One execution of a loop. Rounds are numbered from 0; those in `rounds` are not finished.
struct LoopFrame {
  struct Parked {
    int node;
    Value value;
  };
  int layout = 0;  // position in FrameLayout::frames
  LoopFrame* parent = nullptr;
  Round* parent_round = nullptr;
  std::deque<std::unique_ptr<Round>> rounds;
  std::int64_t newest = 0;
  int enters_to_come = 0;
  std::vector<Parked> parked;        // NextIteration values that wait for a round to finish
  std::vector<Parked> invariants;    // values of constant Enters, for every round
  std::vector<int> dead_invariants;  // constant Enters that were dead
  std::vector<int> dead_exits;       // Exits that were dead in the newest round
  std::vector<int> exited;           // Exits that have passed a value on
  std::vector<std::pair<int, bool>> arrived;  // of a plain loop: Enters, and whether dead
};

// What the frame executor keeps from one step to the next: finished rounds, by layout.
struct SpareRounds {
  std::vector<std::vector<std::unique_ptr<Round>>> by_layout;
};

}  // namespace rill
