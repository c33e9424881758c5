// The frame executor's iterations and loops: begun, retired and used again.
#include <algorithm>

#include "rill/runtime/executor/frame_run.h"

namespace rill {

std::unique_ptr<Iteration> FrameRun::new_iteration(int layout, std::int64_t number) {
  const FrameLayout::Frame& frame = layout_.frames[at(layout)];
  auto& spare = workspace_.spare_iterations.by_layout[at(layout)];
  std::unique_ptr<Iteration> iteration;
  if (spare.empty()) {
    iteration = std::make_unique<Iteration>();
    iteration->slots.resize(frame.readers.size());
    iteration->memos.resize(frame.nodes.size());
  } else {
    iteration = std::move(spare.back());
    spare.pop_back();
  }
  iteration->readers = frame.readers;
  iteration->nodes = frame.progress;
  iteration->outstanding = 0;
  iteration->number = number;
  return iteration;
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
  for (LoopFrame* loop : ready.iteration->loops)
    if (loop->layout == layout) return *loop;
  LoopFrame& child = new_frame();
  child.layout = layout;
  child.parent = ready.frame;
  child.parent_iteration = ready.iteration;
  child.enters_to_come = layout_.frames[at(layout)].enter_count;
  child.iterations.push_back(new_iteration(layout, 0));
  ready.iteration->loops.push_back(&child);
  ++ready.iteration->outstanding;
  return child;
}

Iteration& FrameRun::begin_iteration(LoopFrame& frame) {
  frame.iterations.push_back(new_iteration(frame.layout, ++frame.newest));
  frame.dead_exits.clear();
  Iteration& iteration = *frame.iterations.back();
  for (const auto& [n, invariant] : frame.invariants) {
    output(iteration, n, 0) = invariant;
    deliver(n, false, frame, iteration);
  }
  for (const int n : frame.dead_invariants) deliver(n, true, frame, iteration);
  return iteration;
}

void FrameRun::retire_oldest_iteration(LoopFrame& frame) {
  for (Value& left : frame.iterations.front()->slots) clear(left);
  workspace_.spare_iterations.by_layout[at(frame.layout)].push_back(
      std::move(frame.iterations.front()));
  frame.iterations.pop_front();
}

// Retires the oldest iterations that have nothing left to do, and a loop with its last iteration.
void FrameRun::finish_iterations(LoopFrame* frame) {
  while (frame != &root_) {
    if (frame->enters_to_come > 0) return;
    while (!frame->iterations.empty()) {
      if (frame->iterations.front()->outstanding > 0) return;
      retire_oldest_iteration(*frame);
      if (frame->parked.empty()) continue;
      const auto parked = std::move(frame->parked);
      frame->parked.clear();
      Iteration& next = begin_iteration(*frame);
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
  Iteration* iteration = frame->parent_iteration;
  for (const int n : frame->dead_exits)
    if (std::ranges::find(frame->exited, n) == frame->exited.end())
      deliver(n, true, *parent, *iteration);
  std::erase(iteration->loops, frame);
  spare_frames_.push_back(frame);
  return --iteration->outstanding == 0 ? parent : nullptr;
}

}  // namespace rill
