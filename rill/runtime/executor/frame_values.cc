// Values on their way through the frame executor: into, around and out of loops, and dead ones.
#include <algorithm>

#include "rill/runtime/executor/frame_run.h"

namespace rill {
namespace {

constexpr int kIterationsAtOnce = 256;  // of a plain loop, before others have their turn

}  // namespace

// What a live Switch or Merge does; Enter, Exit and NextIteration move their value in propagate.
void FrameRun::pass_on(Ready ready) {
  const int n = ready.node;
  if (plan_node(n).deref_begin != plan_node(n).deref_end) {
    try {
      read_references(ready);
    } catch (...) {
      throw node_error(plan_node(n), Pointers(*this, ready).values());
    }
  }
  if (node(n).kind == Kind::kSwitch) return take_branch(ready);
  if (node(n).kind != Kind::kMerge) return;
  const int live = progress(*ready.iteration, n).live_input;
  output(*ready.iteration, n, 0) = take_input(ready, live);
  const int index_slot = layout_.addresses[at(node(n).output_begin + 1)];
  if (ready.iteration->readers[at(index_slot)] > 0)
    ready.iteration->slots[at(index_slot)].tensor = Tensor::scalar<std::int32_t>(live);
}

void FrameRun::take_branch(Ready ready) {
  const int n = ready.node;
  const Tensor& pred = input(*ready.iteration, n, 1).tensor;
  if (pred.rank() != 0)
    throw Error(Code::kInvalidArgument,
                str_cat("The second input must be a scalar, but it has ", "shape ", pred.shape()))
        .with_node(name(n), str_cat("\n\t [[node ", name(n), "]]"));
  const int branch = pred.dtype() == DType::boolean ? pred.scalar_value<bool>()
                                                    : pred.scalar_value<std::int32_t>();
  // Out of range means the last branch, as _SwitchN has it.
  const int count = plan_node(n).output_count;
  const int taken = branch < 0 || branch >= count ? count - 1 : branch;
  output(*ready.iteration, n, taken) = take_input(ready, 0);
  progress(*ready.iteration, n).live_input = taken;
}

// The value of an input, moved out of its slot when nobody else will read it.
Value FrameRun::take_input(Ready ready, int i) {
  const int address = layout_.addresses[at(node(ready.node).input_begin + i)];
  Value& held = value(*ready.iteration, address);
  if (address >= 0 && ready.iteration->readers[at(address)] == 1) return std::move(held);
  return held;
}

void FrameRun::propagate(Ready ready, bool dead) {
  switch (node(ready.node).kind) {
    case Kind::kEnter:
    case Kind::kConstantEnter:
      return enter(ready, dead);
    case Kind::kExit:
      return exit(ready, dead);
    case Kind::kNextIteration:
      return next_iteration(ready, dead);
    default:
      return deliver(ready.node, dead, *ready.frame, *ready.iteration);
  }
}

void FrameRun::enter(Ready ready, bool dead) {
  const int n = ready.node;
  LoopFrame& child = child_frame(ready);
  --child.enters_to_come;
  if (layout_.frames[at(child.layout)].plain != nullptr && !options_.spread)
    return enter_plain(ready, dead, child);
  if (node(n).kind == Kind::kEnter) {
    Iteration& first = *child.iterations.front();
    if (!dead) output(first, n, 0) = take_input(ready, 0);
    deliver(n, dead, child, first);
  } else {
    for (const auto& iteration : child.iterations) {
      if (!dead) output(*iteration, n, 0) = input(*ready.iteration, n, 0);
      deliver(n, dead, child, *iteration);
    }
    if (dead) {
      child.dead_invariants.push_back(n);
    } else {
      child.invariants.push_back({n, take_input(ready, 0)});
    }
  }
  finish_iterations(&child);
}

// A plain loop begins with its last Enter. Should one of them be dead, so is the loop, and it goes
// the general way.
void FrameRun::enter_plain(Ready ready, bool dead, LoopFrame& child) {
  Iteration& iteration = *child.iterations.front();
  if (!dead) output(iteration, ready.node, 0) = take_input(ready, 0);
  child.arrived.emplace_back(ready.node, dead);
  if (child.enters_to_come > 0) return;
  if (std::ranges::none_of(child.arrived, [](const auto& entry) { return entry.second; }))
    return run_plain(child, true);
  for (const auto& [n, was_dead] : child.arrived) {
    if (node(n).kind == Kind::kConstantEnter) {
      if (was_dead) child.dead_invariants.push_back(n);
      if (!was_dead) child.invariants.push_back({n, output(iteration, n, 0)});
    }
    deliver(n, was_dead, child, iteration);
  }
  finish_iterations(&child);
}

// Runs some iterations; then others have their turn.
void FrameRun::run_plain(LoopFrame& frame, bool starts) {
  const PlainLoop& loop = *layout_.frames[at(frame.layout)].plain;
  Iteration& iteration = *frame.iterations.front();
  PlainLoopRun run{plan_, loop, workspace_, step_, options_, iteration};
  bool ended = false;
  try {
    if (starts) run.start();
    ended = run.iterations(kIterationsAtOnce);
  } catch (...) {
    return fail(std::current_exception());
  }
  kernels_run_ += run.kernels_run;
  if (!ended) return ready_.push_back({kPlainLoop, &frame, &iteration});
  for (const int n : loop.exits) {
    output(*frame.parent_iteration, n, 0) = input(iteration, n, 0);
    deliver(n, false, *frame.parent, *frame.parent_iteration);
  }
  retire_oldest_iteration(frame);
  if (LoopFrame* parent = finish_frame(&frame)) finish_iterations(parent);
}

void FrameRun::exit(Ready ready, bool dead) {
  const int n = ready.node;
  LoopFrame& frame = *ready.frame;
  if (dead) {
    if (ready.iteration->number == frame.newest) frame.dead_exits.push_back(n);
    return;
  }
  if (std::ranges::find(frame.exited, n) != frame.exited.end())
    return fail(std::make_exception_ptr(
        Error(Code::kInvalidArgument,
              str_cat("'", name(n), "' leaves its loop in more than one iteration"))));
  frame.exited.push_back(n);
  output(*frame.parent_iteration, n, 0) = take_input(ready, 0);
  deliver(n, false, *frame.parent, *frame.parent_iteration);
}

void FrameRun::next_iteration(Ready ready, bool dead) {
  if (dead) return;
  const int n = ready.node;
  LoopFrame& frame = *ready.frame;
  if (ready.iteration->number == frame.newest) {
    const int limit = layout_.frames[at(frame.layout)].parallel_iterations;
    if (static_cast<int>(frame.iterations.size()) >= limit) {
      frame.parked.push_back({n, take_input(ready, 0)});
      return;
    }
    begin_iteration(frame);
  }
  const std::int64_t position = ready.iteration->number + 1 - frame.iterations.front()->number;
  Iteration& next = *frame.iterations[static_cast<std::size_t>(position)];
  output(next, n, 0) = take_input(ready, 0);
  deliver(n, false, frame, next);
}

void FrameRun::deliver(int from, bool dead, LoopFrame& frame, Iteration& iteration) {
  const FrameLayout::Node& source = node(from);
  const FrameLayout::Edge* edge = layout_.edges.data() + source.edge_begin;
  const FrameLayout::Edge* const end = layout_.edges.data() + source.edge_end;
  if (source.kind != Kind::kSwitch || dead) {
    for (; edge != end; ++edge) arrive(*edge, dead, source.kind, frame, iteration);
    return;
  }
  const int taken = progress(iteration, from).live_input;
  for (; edge != end; ++edge)
    arrive(*edge, edge->output >= 0 && edge->output != taken, source.kind, frame, iteration);
}

void FrameRun::arrive(const FrameLayout::Edge& edge, bool dead, Kind from, LoopFrame& frame,
                      Iteration& iteration) {
  if (node(edge.to).kind == Kind::kMerge)
    return arrive_at_merge(edge, dead, from, frame, iteration);
  NodeProgress& state = progress(iteration, edge.to);
  state.dead |= dead;
  if (--state.waiting == 0) make_ready(edge.to, frame, iteration);
}

void FrameRun::arrive_at_merge(const FrameLayout::Edge& edge, bool dead, Kind from,
                               LoopFrame& frame, Iteration& iteration) {
  NodeProgress& state = progress(iteration, edge.to);
  if (edge.input < 0) {
    --state.waiting;
  } else {
    --state.data;
    // The first live value wins: gradients of branches merge shapes that are the same in both and
    // depend on neither.
    if (!dead && state.live_input < 0) state.live_input = edge.input;
    // A loop's Merge gets either its Enter or its NextIteration, so a dead Enter decides.
    const bool decided = state.data == 0 || (dead && from == Kind::kEnter);
    if (state.live_input < 0 && decided) state.dead = true;
  }
  const bool known = state.live_input >= 0 || state.dead;
  if (known && state.waiting == 0 && !state.started) make_ready(edge.to, frame, iteration);
}

void FrameRun::make_ready(int n, LoopFrame& frame, Iteration& iteration) {
  progress(iteration, n).started = true;
  ++iteration.outstanding;
  expensive_ready_ += plan_node(n).expensive;
  ready_.push_back({n, &frame, &iteration, options_.trace == nullptr ? 0 : monotonic_nanos()});
}

}  // namespace rill
