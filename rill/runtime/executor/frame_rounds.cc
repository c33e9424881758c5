// The frame executor's rounds and loops: begun, retired and used again.
#include <algorithm>

#include "rill/runtime/executor/frame_run.h"

namespace rill {

std::unique_ptr<Round> FrameRun::new_round(int layout, std::int64_t number) {
  const FrameLayout::Frame& frame = layout_.frames[at(layout)];
  auto& spare = workspace_.spare_rounds.by_layout[at(layout)];
  std::unique_ptr<Round> round;
  if (spare.empty()) {
    round = std::make_unique<Round>();
    round->slots.resize(frame.readers.size());
    round->memos.resize(frame.nodes.size());
  } else {
    round = std::move(spare.back());
    spare.pop_back();
  }
  round->readers = frame.readers;
  round->nodes = frame.progress;
  round->outstanding = 0;
  round->number = number;
  return round;
}

LoopFrame& FrameRun::new_frame() {
  if (spare_frames_.empty()) {
    frames_.push_back(std::make_unique<LoopFrame>());
    return *frames_.back();
  }
  LoopFrame& frame = *spare_frames_.back();
  spare_frames_.pop_back();
  frame.invariants.clear();
  frame.dead_invariants.clear();
  frame.dead_exits.clear();
  frame.exited.clear();
  frame.arrived.clear();
  frame.newest = 0;
  return frame;
}

// The loop that the Enter leads into, begun by whichever of its Enters comes first.
LoopFrame& FrameRun::child_frame(Ready ready) {
  const int layout = node(ready.node).output_frame;
  for (LoopFrame* loop : ready.round->loops)
    if (loop->layout == layout) return *loop;
  LoopFrame& child = new_frame();
  child.layout = layout;
  child.parent = ready.frame;
  child.parent_round = ready.round;
  child.enters_to_come = layout_.frames[at(layout)].enter_count;
  child.rounds.push_back(new_round(layout, 0));
  ready.round->loops.push_back(&child);
  ++ready.round->outstanding;
  return child;
}

Round& FrameRun::begin_round(LoopFrame& frame) {
  frame.rounds.push_back(new_round(frame.layout, ++frame.newest));
  frame.dead_exits.clear();
  Round& round = *frame.rounds.back();
  for (const auto& [n, invariant] : frame.invariants) {
    output(round, n, 0) = invariant;
    deliver(n, false, frame, round);
  }
  for (const int n : frame.dead_invariants) deliver(n, true, frame, round);
  return round;
}

void FrameRun::retire_oldest_round(LoopFrame& frame) {
  for (Value& left : frame.rounds.front()->slots) clear(left);
  workspace_.spare_rounds.by_layout[at(frame.layout)].push_back(std::move(frame.rounds.front()));
  frame.rounds.pop_front();
}

// Retires the oldest rounds that have nothing left to do, and a loop with its last round.
void FrameRun::finish_rounds(LoopFrame* frame) {
  while (frame != &root_) {
    if (frame->enters_to_come > 0) return;
    while (!frame->rounds.empty()) {
      if (frame->rounds.front()->outstanding > 0) return;
      retire_oldest_round(*frame);
      if (frame->parked.empty()) continue;
      const auto parked = std::move(frame->parked);
      frame->parked.clear();
      Round& next = begin_round(*frame);
      for (const auto& [n, carried] : parked) {
        output(next, n, 0) = carried;
        deliver(n, false, *frame, next);
      }
    }
    frame = finish_frame(frame);
    if (frame == nullptr) return;
  }
}

// Ends a loop; returns the loop around it if that may have ended with it.
LoopFrame* FrameRun::finish_frame(LoopFrame* frame) {
  LoopFrame* parent = frame->parent;
  Round* round = frame->parent_round;
  for (const int n : frame->dead_exits)
    if (std::ranges::find(frame->exited, n) == frame->exited.end())
      deliver(n, true, *parent, *round);
  std::erase(round->loops, frame);
  spare_frames_.push_back(frame);
  return --round->outstanding == 0 ? parent : nullptr;
}

}  // namespace rill
