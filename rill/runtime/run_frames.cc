#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/runtime/executor.h"
#include "rill/runtime/frame_state.h"
#include "rill/runtime/node_runner.h"

namespace rill {
namespace {

using Kind = FrameLayout::Kind;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr int kPlainLoop = -1;  // in place of a node: some rounds of a plain loop
constexpr int kRoundsAtOnce = 256;

// A node that may run, and for which round of which loop.
struct Ready {
  int node;
  LoopFrame* frame;
  Round* round;
};

// The general executor: every value is tagged with the frame and round it belongs to, and a value
// whose branch was not taken is dead. All bookkeeping happens under one lock; large kernels run
// outside it, small ones keep it, which costs less than giving it up.
class FrameRun {
 public:
  FrameRun(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
           const ExecutorOptions& options)
      : plan_(plan),
        layout_(*plan.frames),
        workspace_(workspace),
        step_(step),
        pool_(pool),
        options_(options) {
    workspace.spare_rounds.by_layout.resize(layout_.frames.size());
  }

  void run();
  std::int64_t kernels_run() const { return kernels_run_; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  const PlanNode& plan_node(int n) const { return plan_.nodes[at(n)]; }
  const FrameLayout::Node& node(int n) const { return layout_.nodes[at(n)]; }
  const std::string& name(int n) const { return plan_node(n).node->name(); }
  NodeProgress& progress(Round& round, int n) const { return round.nodes[at(node(n).local)]; }
  Value& value(Round& round, int address) const {
    return address >= 0 ? round.slots[at(address)] : workspace_.slots[at(~address)];
  }
  Value& input(Round& round, int n, int i) const {
    return value(round, layout_.addresses[at(node(n).input_begin + i)]);
  }
  Value& output(Round& round, int n, int i) const {
    return round.slots[at(layout_.addresses[at(node(n).output_begin + i)])];
  }

  // The run as a whole.
  void start_root(Round& root);
  void collect_fetches(Round& root);
  void wait_for_others(Lock& lock);
  void work(Lock& lock);
  void ask_for_help();
  bool stopped();
  void fail(std::exception_ptr error);

  // One node.
  class Pointers;
  void process(Ready ready, Lock& lock);
  void end_node(Ready ready, bool dead);
  bool run_kernel(Ready ready, Lock& lock);
  bool run_async(Ready ready, Lock& lock);
  void end_async(Ready ready, const Pointers& pointers, std::exception_ptr failed);
  void prepare(Ready ready, const NodeValues& values);
  void read_references(Ready ready);
  void release_values(Ready ready);

  // Values on their way.
  void pass_on(Ready ready);
  void take_branch(Ready ready);
  Value take_input(Ready ready, int i);
  void propagate(Ready ready, bool dead);
  void enter(Ready ready, bool dead);
  void exit(Ready ready, bool dead);
  void next_iteration(Ready ready, bool dead);
  void enter_plain(Ready ready, bool dead, LoopFrame& child);
  void run_plain(LoopFrame& frame, bool starts);
  void deliver(int from, bool dead, LoopFrame& frame, Round& round);
  void arrive(const FrameLayout::Edge& edge, bool dead, Kind from, LoopFrame& frame, Round& round);
  void arrive_at_merge(const FrameLayout::Edge& edge, bool dead, Kind from, LoopFrame& frame,
                       Round& round);
  void make_ready(int n, LoopFrame& frame, Round& round);

  // Rounds and loops.
  std::unique_ptr<Round> new_round(int layout, std::int64_t number);
  LoopFrame& new_frame();
  LoopFrame& child_frame(Ready ready);
  Round& begin_round(LoopFrame& frame);
  void retire_oldest_round(LoopFrame& frame);
  void finish_rounds(LoopFrame* frame);
  LoopFrame* finish_frame(LoopFrame* frame);

  const Plan& plan_;
  const FrameLayout& layout_;
  Workspace& workspace_;
  StepContext& step_;
  ThreadPool& pool_;
  const ExecutorOptions& options_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Ready> ready_;
  int expensive_ready_ = 0;                         // of those in ready_
  std::vector<std::unique_ptr<LoopFrame>> frames_;  // all that were ever needed at once
  std::vector<LoopFrame*> spare_frames_;
  LoopFrame root_;
  int running_ = 0;  // kernels that run now
  int helpers_ = 0;  // threads of the pool that still refer to this object
  std::int64_t kernels_run_ = 0;
  std::exception_ptr error_;
};

// --- The run as a whole ------------------------------------------------------------------------

void FrameRun::run() {
  root_.rounds.push_back(new_round(0, 0));
  Round& root = *root_.rounds.front();
  Lock lock(mutex_);
  start_root(root);
  work(lock);
  wait_for_others(lock);
  if (error_) std::rethrow_exception(error_);
  collect_fetches(root);
  retire_oldest_round(root_);
}

void FrameRun::start_root(Round& root) {
  for (const int n : layout_.frames[0].nodes) {
    const NodeProgress& state = progress(root, n);
    if (state.waiting > 0) continue;
    if (node(n).kind != Kind::kMerge || state.live_input >= 0) make_ready(n, root_, root);
  }
}

void FrameRun::collect_fetches(Round& root) {
  for (std::size_t i = 0; i < plan_.fetch_slots.size(); ++i) {
    const int s = plan_.fetch_slots[i];
    Value& result = workspace_.slots[at(s)];
    const int address = layout_.slot_address[at(s)];
    if (address >= 0) result = root.slots[at(address)];  // may be fetched twice
    require(result.tensor.has_value() || result.ref != nullptr, "Retval[", i,
            "] does not have value: '", plan_.writer[at(s)] < 0 ? "" : name(plan_.writer[at(s)]),
            "' is on a branch that was not taken");
  }
}

// Works along until nothing runs any more; after an error, until what runs has noticed it.
void FrameRun::wait_for_others(Lock& lock) {
  bool told = false;
  while (running_ > 0 || helpers_ > 0 || !ready_.empty()) {
    if (error_ && !told) {
      told = true;
      lock.unlock();
      workspace_.cancellation.cancel();
      lock.lock();
    } else if (!ready_.empty()) {
      work(lock);
    } else if (options_.deadline_nanos == 0 || error_) {
      changed_.wait(lock);
    } else {
      const auto left = std::chrono::nanoseconds(
          std::max<std::int64_t>(0, options_.deadline_nanos - monotonic_nanos()));
      if (changed_.wait_for(lock, left) == std::cv_status::timeout)
        fail(std::make_exception_ptr(timeout_error()));
    }
  }
}

void FrameRun::work(Lock& lock) {
  while (!ready_.empty()) {
    const Ready next = ready_.front();
    ready_.pop_front();
    if (next.node == kPlainLoop) {
      if (!stopped()) run_plain(*next.frame, false);
      continue;
    }
    expensive_ready_ -= plan_node(next.node).expensive;
    process(next, lock);
  }
}

// Another thread is worth its price only when there is more than one expensive node to run.
void FrameRun::ask_for_help() {
  if (!options_.spread || expensive_ready_ < 2 || helpers_ + 1 >= pool_.thread_count()) return;
  ++helpers_;
  pool_.schedule([this] {
    Lock lock(mutex_);
    work(lock);
    --helpers_;
    changed_.notify_all();
  });
}

// True when the step is over: nothing more is run or passed on, so the rest never becomes ready.
bool FrameRun::stopped() {
  if (error_) return true;
  if (workspace_.cancellation.cancelled()) {
    fail(std::make_exception_ptr(cancelled_error()));
  } else if (options_.deadline_nanos != 0 && monotonic_nanos() > options_.deadline_nanos) {
    fail(std::make_exception_ptr(timeout_error()));
  }
  return error_ != nullptr;
}

void FrameRun::fail(std::exception_ptr error) {
  if (error_) return;
  error_ = std::move(error);
  ready_.clear();
  expensive_ready_ = 0;
  changed_.notify_all();  // run() tells the kernels: that must not happen under the lock
}

// --- One node ----------------------------------------------------------------------------------

void FrameRun::process(Ready ready, Lock& lock) {
  if (stopped()) return;
  const bool dead = progress(*ready.round, ready.node).dead && !node(ready.node).runs_dead;
  if (!dead) {
    try {
      if (node(ready.node).kind != Kind::kKernel) {
        pass_on(ready);
      } else if (!run_kernel(ready, lock)) {
        return;  // asynchronous: ends later
      }
    } catch (...) {
      return fail(std::current_exception());
    }
  }
  if (!error_) end_node(ready, dead);
}

void FrameRun::end_node(Ready ready, bool dead) {
  propagate(ready, dead);
  release_values(ready);
  if (--ready.round->outstanding == 0) finish_rounds(ready.frame);
  ask_for_help();
}

// The values of one run of a node, on the stack when they are few.
class FrameRun::Pointers {
 public:
  Pointers(const FrameRun& run, Ready ready) {
    const PlanNode& n = run.plan_node(ready.node);
    input_count_ = at(n.input_count);
    count_ = at(n.input_count + n.output_count);
    if (count_ > kFew) many_.resize(count_);
    Value** all = count_ > kFew ? many_.data() : few_;
    for (int i = 0; i < n.input_count; ++i) *all++ = &run.input(*ready.round, ready.node, i);
    for (int i = 0; i < n.output_count; ++i) *all++ = &run.output(*ready.round, ready.node, i);
  }
  NodeValues values() const {
    Value* const* all = count_ > kFew ? many_.data() : few_;
    return {{all, input_count_}, {all + input_count_, count_ - input_count_}};
  }

 private:
  static constexpr std::size_t kFew = 16;
  std::size_t input_count_, count_;
  Value* few_[kFew];
  std::vector<Value*> many_;
};

// Runs an ordinary kernel; false when it will end later.
bool FrameRun::run_kernel(Ready ready, Lock& lock) {
  const PlanNode& n = plan_node(ready.node);
  ++kernels_run_;
  if (n.run == nullptr) return run_async(ready, lock);
  const Pointers pointers(*this, ready);
  const NodeValues values = pointers.values();
  const std::int64_t begin = options_.stats == nullptr ? 0 : monotonic_nanos();
  const bool unlocked = n.expensive && options_.spread;
  std::exception_ptr error;
  ++running_;
  if (unlocked) lock.unlock();
  try {
    prepare(ready, values);
    KernelCall call = make_call(n, values, step_);
    n.run(call);
  } catch (...) {
    error = std::make_exception_ptr(node_error(n, values));
  }
  if (unlocked) lock.lock();
  --running_;
  if (error) std::rethrow_exception(error);
  if (options_.stats != nullptr) record(n, values, begin, *options_.stats);
  return true;
}

bool FrameRun::run_async(Ready ready, Lock& lock) {
  const PlanNode& n = plan_node(ready.node);
  Pointers pointers(*this, ready);
  try {
    prepare(ready, pointers.values());
  } catch (...) {
    throw node_error(n, pointers.values());
  }
  // The call refers to the pointers beside it, so these are in place before it is made.
  auto running = std::make_shared<std::pair<Pointers, std::optional<KernelCall>>>(
      std::move(pointers), std::nullopt);
  running->second.emplace(make_call(n, running->first.values(), step_));
  ++running_;
  lock.unlock();
  const auto done = [this, ready, running](std::exception_ptr failed) {
    const Lock relock(mutex_);
    end_async(ready, running->first, failed);
  };
  try {
    n.kernel->entry->run_async(*running->second, done);
  } catch (...) {
    done(std::current_exception());
  }
  lock.lock();
  return false;
}

void FrameRun::end_async(Ready ready, const Pointers& pointers, std::exception_ptr failed) {
  if (failed) {
    try {
      std::rethrow_exception(failed);
    } catch (...) {
      fail(std::make_exception_ptr(node_error(plan_node(ready.node), pointers.values())));
    }
  }
  if (!error_) end_node(ready, false);
  --running_;
  changed_.notify_all();
}

void FrameRun::prepare(Ready ready, const NodeValues& values) {
  const PlanNode& n = plan_node(ready.node);
  read_references(ready);
  if (n.structured && n.output_count > 0)
    allocate_outputs(n, values, ready.round->memos[at(node(ready.node).local)], n.takeable_alone);
}

void FrameRun::read_references(Ready ready) {
  const PlanNode& n = plan_node(ready.node);
  for (int i = n.deref_begin; i < n.deref_end; ++i) {
    const Deref& deref = plan_.derefs[at(i)];
    const auto& where = layout_.slot_address;
    const Value& reference = value(*ready.round, where[at(deref.slot)]);
    // A Merge runs with one live input; the reference that the other would be is not there.
    if (reference.ref == nullptr && node(ready.node).kind == Kind::kMerge) continue;
    value(*ready.round, where[at(deref.scratch)]).tensor = read_reference(n, reference);
  }
}

void FrameRun::release_values(Ready ready) {
  const FrameLayout::Node& n = node(ready.node);
  for (int i = n.release_begin; i < n.release_end; ++i) {
    const auto slot = at(layout_.releases[at(i)]);
    if (--ready.round->readers[slot] == 0) clear(ready.round->slots[slot]);
  }
}

// --- Values on their way -----------------------------------------------------------------------

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
  const int live = progress(*ready.round, n).live_input;
  output(*ready.round, n, 0) = take_input(ready, live);
  const int index_slot = layout_.addresses[at(node(n).output_begin + 1)];
  if (ready.round->readers[at(index_slot)] > 0)
    ready.round->slots[at(index_slot)].tensor = Tensor::scalar<std::int32_t>(live);
}

void FrameRun::take_branch(Ready ready) {
  const int n = ready.node;
  const Tensor& pred = input(*ready.round, n, 1).tensor;
  if (pred.rank() != 0)
    throw Error(Code::kInvalidArgument,
                str_cat("The second input must be a scalar, but it has ", "shape ", pred.shape()))
        .with_node(name(n), str_cat("\n\t [[node ", name(n), "]]"));
  const int branch = pred.dtype() == DType::boolean ? pred.scalar_value<bool>()
                                                    : pred.scalar_value<std::int32_t>();
  // Out of range means the last branch, as _SwitchN has it.
  const int count = plan_node(n).output_count;
  const int taken = branch < 0 || branch >= count ? count - 1 : branch;
  output(*ready.round, n, taken) = take_input(ready, 0);
  progress(*ready.round, n).live_input = taken;
}

// The value of an input, moved out of its slot when nobody else will read it.
Value FrameRun::take_input(Ready ready, int i) {
  const int address = layout_.addresses[at(node(ready.node).input_begin + i)];
  Value& held = value(*ready.round, address);
  if (address >= 0 && ready.round->readers[at(address)] == 1) return std::move(held);
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
      return deliver(ready.node, dead, *ready.frame, *ready.round);
  }
}

void FrameRun::enter(Ready ready, bool dead) {
  const int n = ready.node;
  LoopFrame& child = child_frame(ready);
  --child.enters_to_come;
  if (layout_.frames[at(child.layout)].plain != nullptr && !options_.spread)
    return enter_plain(ready, dead, child);
  if (node(n).kind == Kind::kEnter) {
    Round& first = *child.rounds.front();
    if (!dead) output(first, n, 0) = take_input(ready, 0);
    deliver(n, dead, child, first);
  } else {
    for (const auto& round : child.rounds) {
      if (!dead) output(*round, n, 0) = input(*ready.round, n, 0);
      deliver(n, dead, child, *round);
    }
    if (dead) {
      child.dead_invariants.push_back(n);
    } else {
      child.invariants.push_back({n, take_input(ready, 0)});
    }
  }
  finish_rounds(&child);
}

// A plain loop begins with its last Enter. Should one of them be dead, so is the loop, and it goes
// the general way.
void FrameRun::enter_plain(Ready ready, bool dead, LoopFrame& child) {
  Round& round = *child.rounds.front();
  if (!dead) output(round, ready.node, 0) = take_input(ready, 0);
  child.arrived.emplace_back(ready.node, dead);
  if (child.enters_to_come > 0) return;
  if (std::ranges::none_of(child.arrived, [](const auto& entry) { return entry.second; }))
    return run_plain(child, true);
  for (const auto& [n, was_dead] : child.arrived) {
    if (node(n).kind == Kind::kConstantEnter) {
      if (was_dead) child.dead_invariants.push_back(n);
      if (!was_dead) child.invariants.push_back({n, output(round, n, 0)});
    }
    deliver(n, was_dead, child, round);
  }
  finish_rounds(&child);
}

// Runs some rounds; then others have their turn.
void FrameRun::run_plain(LoopFrame& frame, bool starts) {
  const PlainLoop& loop = *layout_.frames[at(frame.layout)].plain;
  Round& round = *frame.rounds.front();
  PlainLoopRun run{plan_, loop, workspace_, step_, options_, round};
  bool ended = false;
  try {
    if (starts) run.start();
    ended = run.rounds(kRoundsAtOnce);
  } catch (...) {
    return fail(std::current_exception());
  }
  kernels_run_ += run.kernels_run;
  if (!ended) return ready_.push_back({kPlainLoop, &frame, &round});
  for (const int n : loop.exits) {
    output(*frame.parent_round, n, 0) = input(round, n, 0);
    deliver(n, false, *frame.parent, *frame.parent_round);
  }
  retire_oldest_round(frame);
  if (LoopFrame* parent = finish_frame(&frame)) finish_rounds(parent);
}

void FrameRun::exit(Ready ready, bool dead) {
  const int n = ready.node;
  LoopFrame& frame = *ready.frame;
  if (dead) {
    if (ready.round->number == frame.newest) frame.dead_exits.push_back(n);
    return;
  }
  if (std::ranges::find(frame.exited, n) != frame.exited.end())
    return fail(std::make_exception_ptr(
        Error(Code::kInvalidArgument,
              str_cat("'", name(n), "' leaves its loop in more than one iteration"))));
  frame.exited.push_back(n);
  output(*frame.parent_round, n, 0) = take_input(ready, 0);
  deliver(n, false, *frame.parent, *frame.parent_round);
}

void FrameRun::next_iteration(Ready ready, bool dead) {
  if (dead) return;
  const int n = ready.node;
  LoopFrame& frame = *ready.frame;
  if (ready.round->number == frame.newest) {
    const int limit = layout_.frames[at(frame.layout)].parallel_iterations;
    if (static_cast<int>(frame.rounds.size()) >= limit) {
      frame.parked.push_back({n, take_input(ready, 0)});
      return;
    }
    begin_round(frame);
  }
  const std::int64_t position = ready.round->number + 1 - frame.rounds.front()->number;
  Round& next = *frame.rounds[static_cast<std::size_t>(position)];
  output(next, n, 0) = take_input(ready, 0);
  deliver(n, false, frame, next);
}

void FrameRun::deliver(int from, bool dead, LoopFrame& frame, Round& round) {
  const FrameLayout::Node& source = node(from);
  const FrameLayout::Edge* edge = layout_.edges.data() + source.edge_begin;
  const FrameLayout::Edge* const end = layout_.edges.data() + source.edge_end;
  if (source.kind != Kind::kSwitch || dead) {
    for (; edge != end; ++edge) arrive(*edge, dead, source.kind, frame, round);
    return;
  }
  const int taken = progress(round, from).live_input;
  for (; edge != end; ++edge)
    arrive(*edge, edge->output >= 0 && edge->output != taken, source.kind, frame, round);
}

void FrameRun::arrive(const FrameLayout::Edge& edge, bool dead, Kind from, LoopFrame& frame,
                      Round& round) {
  if (node(edge.to).kind == Kind::kMerge) return arrive_at_merge(edge, dead, from, frame, round);
  NodeProgress& state = progress(round, edge.to);
  state.dead |= dead;
  if (--state.waiting == 0) make_ready(edge.to, frame, round);
}

void FrameRun::arrive_at_merge(const FrameLayout::Edge& edge, bool dead, Kind from,
                               LoopFrame& frame, Round& round) {
  NodeProgress& state = progress(round, edge.to);
  if (edge.input < 0) {
    --state.waiting;
  } else {
    --state.data;
    if (!dead && state.live_input >= 0)
      return fail(std::make_exception_ptr(
          Error(Code::kInternal,
                str_cat("Merge can not have more than one valid input: '", name(edge.to), "'"))));
    if (!dead) state.live_input = edge.input;
    // A loop's Merge gets either its Enter or its NextIteration, so a dead Enter decides.
    const bool decided = state.data == 0 || (dead && from == Kind::kEnter);
    if (state.live_input < 0 && decided) state.dead = true;
  }
  const bool known = state.live_input >= 0 || state.dead;
  if (known && state.waiting == 0 && !state.started) make_ready(edge.to, frame, round);
}

void FrameRun::make_ready(int n, LoopFrame& frame, Round& round) {
  progress(round, n).started = true;
  ++round.outstanding;
  expensive_ready_ += plan_node(n).expensive;
  ready_.push_back({n, &frame, &round});
}

// --- Rounds and loops --------------------------------------------------------------------------

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

}  // namespace

std::int64_t run_frames(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                        const ExecutorOptions& options) {
  FrameRun run(plan, workspace, step, pool, options);
  run.run();
  return run.kernels_run();
}

}  // namespace rill
