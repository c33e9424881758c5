#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/runtime/executor.h"
#include "rill/runtime/node_runner.h"

namespace rill {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// What a node of one round of one loop still waits for.
struct NodeProgress {
  int data = 0, control = 0;  // inputs still to come
  int live_input = -1;        // of a Merge: the input that arrived alive
  bool dead = false;          // something it needs is dead
  bool started = false;
};

// One round of a loop (or the step itself): its values and how far its nodes have come.
struct Round {
  std::vector<Value> slots;
  std::vector<int> readers;  // per slot: nodes that still read it
  std::vector<NodeProgress> nodes;
  std::vector<ShapeMemo> memos;
  int outstanding = 0;  // nodes started or ready, and loops running, inside this round
  std::int64_t number = 0;
};

// One execution of a loop. Rounds are numbered from 0; those in `rounds` are not finished.
struct Frame {
  int layout = 0;  // position in FrameLayout::frames
  Frame* parent = nullptr;
  Round* parent_round = nullptr;
  std::deque<std::unique_ptr<Round>> rounds;
  std::int64_t newest = 0;
  int enters_to_come = 0;
  std::map<std::pair<std::int64_t, int>, std::unique_ptr<Frame>> children;  // by round, layout
  struct Parked {
    int node;
    Value value;
  };
  std::vector<Parked> parked;      // NextIteration values that wait for a round to finish
  std::vector<Parked> invariants;  // values of constant Enters, for every round
  std::vector<int> dead_invariants;
  std::vector<int> dead_exits;  // Exits that were dead in the newest round
};

struct Ready {
  int node;
  Frame* frame;
  Round* round;
};

// The general executor: every value is tagged with the frame and round it belongs to, and a value
// whose branch was not taken is dead. All bookkeeping happens under one lock, kernels run outside
// it.
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
    spare_.resize(layout_.frames.size());
  }

  void run();
  std::int64_t kernels_run() const { return kernels_run_; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  const PlanNode& node(int n) const { return plan_.nodes[at(n)]; }
  bool has(int n, std::uint32_t trait) const { return node(n).node->op().has(trait); }
  Value& slot(Round& round, int plan_slot) const {
    return round.slots[at(layout_.local_slot[at(plan_slot)])];
  }
  NodeProgress& progress(Round& round, int n) const {
    return round.nodes[at(layout_.local_node[at(n)])];
  }

  std::unique_ptr<Round> new_round(int layout, std::int64_t number);
  void wait_for_others(Lock& lock);
  void start_root(Round& root);
  void find_preset_input(int n, NodeProgress& state);
  void work(Lock& lock);
  void ask_for_help();
  void process(Ready ready, Lock& lock);
  void end_node(Ready ready, bool dead);
  class Pointers;
  bool run_kernel(Ready ready, Lock& lock);
  bool run_async(Ready ready, Lock& lock);
  void prepare(Ready ready, const NodeValues& values);
  bool pass_on(Ready ready);
  void propagate(Ready ready, bool dead);
  void deliver(int from, bool dead, Frame& frame, Round& round);
  void arrive(const FrameLayout::Edge& edge, bool dead, int from, Frame& frame, Round& round);
  void make_ready(int n, Frame& frame, Round& round);
  Frame& child_frame(Ready ready);
  Round& begin_round(Frame& frame);
  void release_inputs(Ready ready);
  void finish_rounds(Frame* frame);
  void finish_frame(Frame* frame);
  void fail(std::exception_ptr error);

  const Plan& plan_;
  const FrameLayout& layout_;
  Workspace& workspace_;
  StepContext& step_;
  ThreadPool& pool_;
  const ExecutorOptions& options_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Ready> ready_;
  std::vector<std::vector<std::unique_ptr<Round>>> spare_;  // finished rounds, by layout, for reuse
  Frame root_;
  int running_ = 0;  // kernels that run now, and helpers that still refer to this object
  int helpers_ = 0;
  std::int64_t kernels_run_ = 0;
  std::exception_ptr error_;
};

std::unique_ptr<Round> FrameRun::new_round(int layout, std::int64_t number) {
  auto& spare = spare_[at(layout)];
  std::unique_ptr<Round> round;
  if (spare.empty()) {
    round = std::make_unique<Round>();
    round->slots.resize(layout_.frames[at(layout)].slots.size());
    round->readers.resize(round->slots.size());
    round->nodes.resize(layout_.frames[at(layout)].nodes.size());
    round->memos.resize(round->nodes.size());
  } else {
    round = std::move(spare.back());
    spare.pop_back();
  }
  round->number = number;
  round->outstanding = 0;
  for (std::size_t i = 0; i < round->slots.size(); ++i)
    round->readers[i] = plan_.reader_counts[at(layout_.frames[at(layout)].slots[i])];
  for (std::size_t i = 0; i < round->nodes.size(); ++i) {
    const int n = layout_.frames[at(layout)].nodes[i];
    round->nodes[i] = {.data = layout_.data_inputs[at(n)],
                       .control = layout_.control_inputs[at(n)]};
  }
  return round;
}

void FrameRun::run() {
  root_.rounds.push_back(new_round(0, 0));
  Round& root = *root_.rounds.front();
  for (const int s : layout_.frames[0].slots)
    if (plan_.writer[at(s)] == Plan::kPreset) slot(root, s) = workspace_.slots[at(s)];
  Lock lock(mutex_);
  ++root.outstanding;  // keeps the root from finishing before it has begun
  start_root(root);
  --root.outstanding;
  work(lock);
  wait_for_others(lock);
  if (error_) std::rethrow_exception(error_);
  for (const int s : plan_.fetch_slots) {
    workspace_.slots[at(s)] = std::move(slot(root, s));
    const Value& value = workspace_.slots[at(s)];
    require(value.tensor.has_value() || value.ref != nullptr, "Retval does not have value: '",
            plan_.writer[at(s)] < 0 ? "" : node(plan_.writer[at(s)]).node->name(),
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

void FrameRun::start_root(Round& root) {
  for (const int n : layout_.frames[0].nodes) {
    NodeProgress& state = progress(root, n);
    if (has(n, kMerge)) find_preset_input(n, state);
    const bool decided = !has(n, kMerge) || state.live_input >= 0;
    if (state.control == 0 && decided && (state.data == 0 || has(n, kMerge)))
      make_ready(n, root_, root);
  }
}

// A fed input of a Merge is there from the start.
void FrameRun::find_preset_input(int n, NodeProgress& state) {
  for (int i = 0; i < node(n).input_count; ++i)
    if (plan_.writer[at(plan_.wiring[at(node(n).input_begin + i)])] == Plan::kPreset)
      state.live_input = i;
}

void FrameRun::work(Lock& lock) {
  while (!ready_.empty()) {
    const Ready next = ready_.front();
    ready_.pop_front();
    process(next, lock);
  }
}

// Another thread is worth its price only when there is more than one expensive node to run.
void FrameRun::ask_for_help() {
  if (!options_.spread || helpers_ + 1 >= pool_.thread_count()) return;
  int expensive = 0;
  for (const Ready& ready : ready_) expensive += node(ready.node).expensive;
  if (expensive < 2) return;
  ++helpers_;
  pool_.schedule([this] {
    Lock lock(mutex_);
    work(lock);
    --helpers_;
    changed_.notify_all();
  });
}

void FrameRun::process(Ready ready, Lock& lock) {
  const NodeProgress& state = progress(*ready.round, ready.node);
  if (error_ || step_.cancellation->cancelled()) {
    if (!error_) fail(std::make_exception_ptr(cancelled_error()));
    return;  // the step is over: nothing is passed on, so the rest never becomes ready
  }
  if (options_.deadline_nanos != 0 && monotonic_nanos() > options_.deadline_nanos)
    return fail(std::make_exception_ptr(timeout_error()));
  bool dead = state.dead && !has(ready.node, kRunsDead);
  if (!dead) {
    try {
      if (has(ready.node, kControlFlow)) {
        if (!pass_on(ready)) dead = true;
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
  release_inputs(ready);
  --ready.round->outstanding;
  finish_rounds(ready.frame);
  ask_for_help();
}

// The values of one run of a node, on the stack when they are few.
class FrameRun::Pointers {
 public:
  Pointers(const FrameRun& run, const PlanNode& n, Round& round) : inputs_(at(n.input_count)) {
    const std::size_t count = at(n.input_count + n.output_count);
    if (count > kFew) many_.resize(count);
    Value** all = count > kFew ? many_.data() : few_;
    for (int i = 0; i < n.input_count; ++i)
      all[i] = &run.slot(round, run.plan_.wiring[at(n.input_begin + i)]);
    // An Enter's, Exit's or NextIteration's output lies elsewhere, but those are not kernels.
    for (int i = 0; i < n.output_count; ++i)
      all[n.input_count + i] = &run.slot(round, run.plan_.wiring[at(n.output_begin + i)]);
    count_ = count;
  }
  NodeValues values() const {
    Value* const* all = count_ > kFew ? many_.data() : few_;
    return {{all, inputs_}, {all + inputs_, count_ - inputs_}};
  }

 private:
  static constexpr std::size_t kFew = 16;
  std::size_t inputs_, count_;
  Value* few_[kFew];
  std::vector<Value*> many_;
};

// Runs an ordinary kernel; false when it will end later. Small ones keep the lock, which costs less
// than giving it up.
bool FrameRun::run_kernel(Ready ready, Lock& lock) {
  const PlanNode& n = node(ready.node);
  if (n.run == nullptr) return run_async(ready, lock);
  const Pointers pointers(*this, n, *ready.round);
  const NodeValues values = pointers.values();
  const std::int64_t begin = options_.stats == nullptr ? 0 : monotonic_nanos();
  const bool unlocked = n.expensive && options_.spread;
  ++running_;
  ++kernels_run_;
  if (unlocked) lock.unlock();
  std::exception_ptr error;
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

void FrameRun::prepare(Ready ready, const NodeValues& values) {
  const PlanNode& n = node(ready.node);
  for (int i = n.deref_begin; i < n.deref_end; ++i) {
    const Deref& deref = plan_.derefs[at(i)];
    slot(*ready.round, deref.scratch).tensor = read_reference(n, slot(*ready.round, deref.slot));
  }
  if (n.structured && n.output_count > 0)
    allocate_outputs(n, values, ready.round->memos[at(layout_.local_node[at(ready.node)])],
                     n.takeable_alone, [] { return std::string(); });
}

bool FrameRun::run_async(Ready ready, Lock& lock) {
  const PlanNode& n = node(ready.node);
  Pointers pointers(*this, n, *ready.round);
  prepare(ready, pointers.values());
  auto running = std::make_shared<std::pair<Pointers, std::unique_ptr<KernelCall>>>(
      std::move(pointers), nullptr);
  running->second = std::make_unique<KernelCall>(make_call(n, running->first.values(), step_));
  ++running_;
  lock.unlock();
  n.kernel->entry->run_async(*running->second, [this, ready, running](std::exception_ptr failed) {
    Lock relock(mutex_);
    if (failed) {
      try {
        std::rethrow_exception(failed);
      } catch (...) {
        fail(std::make_exception_ptr(node_error(node(ready.node), running->first.values())));
      }
    }
    if (!error_) end_node(ready, false);
    --running_;
    changed_.notify_all();
  });
  lock.lock();
  return false;
}

// Control flow itself: moves a value on; false when every output is dead.
bool FrameRun::pass_on(Ready ready) {
  const PlanNode& n = node(ready.node);
  Round& round = *ready.round;
  const auto input = [&](int i) -> Value& {
    return slot(round, plan_.wiring[at(n.input_begin + i)]);
  };
  const auto output = [&](int i) -> Value& {
    return slot(round, plan_.wiring[at(n.output_begin + i)]);
  };
  if (has(ready.node, kSwitch)) {
    const Tensor& pred = input(1).tensor;
    const int which = pred.dtype() == DType::boolean
                          ? pred.scalar_value<bool>()
                          : static_cast<int>(pred.scalar_value<std::int32_t>());
    // Out of range means the last branch, as _SwitchN has it.
    const int taken = which < 0 || which >= n.output_count ? n.output_count - 1 : which;
    output(taken) = input(0);
    progress(round, ready.node).live_input = taken;  // remembered for propagate
  } else if (has(ready.node, kMerge)) {
    const int live = progress(round, ready.node).live_input;
    output(0) = input(live);
    output(1).tensor = Tensor::scalar<std::int32_t>(live);
  }
  return true;  // Enter, Exit and NextIteration move their value in propagate
}

Frame& FrameRun::child_frame(Ready ready) {
  const int layout = layout_.frame_of_output[at(ready.node)];
  auto& child = ready.frame->children[{ready.round->number, layout}];
  if (child == nullptr) {
    child = std::make_unique<Frame>();
    child->layout = layout;
    child->parent = ready.frame;
    child->parent_round = ready.round;
    child->enters_to_come = layout_.frames[at(layout)].enter_count;
    child->rounds.push_back(new_round(layout, 0));
    ++ready.round->outstanding;
  }
  return *child;
}

void FrameRun::propagate(Ready ready, bool dead) {
  const int n = ready.node;
  const auto input = [&] { return slot(*ready.round, plan_.wiring[at(node(n).input_begin)]); };
  const int out_slot = node(n).output_count > 0 ? plan_.wiring[at(node(n).output_begin)] : -1;
  if (has(n, kEnter)) {
    Frame& child = child_frame(ready);
    const bool constant = node(n).node->attr<bool>("is_constant");
    if (constant && dead) child.dead_invariants.push_back(n);
    if (constant && !dead) child.invariants.push_back({n, input()});
    --child.enters_to_come;
    const std::size_t reached = constant ? child.rounds.size() : 1;
    for (std::size_t i = 0; i < reached; ++i) {
      Round& round = *child.rounds[i];
      if (!dead) slot(round, out_slot) = input();
      deliver(n, dead, child, round);
    }
    return finish_rounds(&child);
  }
  if (has(n, kExit)) {
    if (dead) {
      if (ready.round->number == ready.frame->newest) ready.frame->dead_exits.push_back(n);
      return;
    }
    slot(*ready.frame->parent_round, out_slot) = input();
    return deliver(n, false, *ready.frame->parent, *ready.frame->parent_round);
  }
  if (has(n, kNextIteration)) {
    if (dead) return;
    Frame& frame = *ready.frame;
    if (ready.round->number == frame.newest) {
      const int limit = layout_.frames[at(frame.layout)].parallel_iterations;
      if (static_cast<int>(frame.rounds.size()) >= limit) {
        frame.parked.push_back({n, input()});
        return;
      }
      begin_round(frame);
    }
    Round& next =
        *frame.rounds[at(static_cast<int>(ready.round->number + 1 - frame.rounds.front()->number))];
    slot(next, out_slot) = input();
    return deliver(n, false, frame, next);
  }
  deliver(n, dead, *ready.frame, *ready.round);
}

Round& FrameRun::begin_round(Frame& frame) {
  frame.rounds.push_back(new_round(frame.layout, ++frame.newest));
  frame.dead_exits.clear();
  Round& round = *frame.rounds.back();
  for (const auto& [n, value] : frame.invariants) {
    slot(round, plan_.wiring[at(node(n).output_begin)]) = value;
    deliver(n, false, frame, round);
  }
  for (const int n : frame.dead_invariants) deliver(n, true, frame, round);
  return round;
}

void FrameRun::deliver(int from, bool dead, Frame& frame, Round& round) {
  const bool is_switch = has(from, kSwitch) && !dead;
  const int taken = is_switch ? progress(round, from).live_input : -1;
  for (const FrameLayout::Edge& edge : layout_.out_edges[at(from)])
    arrive(edge, dead || (is_switch && edge.output >= 0 && edge.output != taken), from, frame,
           round);
}

void FrameRun::arrive(const FrameLayout::Edge& edge, bool dead, int from, Frame& frame,
                      Round& round) {
  NodeProgress& state = progress(round, edge.to);
  --(edge.output < 0 ? state.control : state.data);
  if (!has(edge.to, kMerge)) {
    state.dead |= dead;
    if (state.data == 0 && state.control == 0) make_ready(edge.to, frame, round);
    return;
  }
  if (edge.output >= 0 && !dead) {
    if (state.live_input >= 0)
      return fail(std::make_exception_ptr(
          Error(Code::kInternal, str_cat("Merge can not have more than one valid input: '",
                                         node(edge.to).node->name(), "'"))));
    state.live_input = edge.input;
  }
  // A loop's Merge gets either its Enter or its NextIteration, so a dead Enter decides.
  const bool all_dead = state.live_input < 0 && (state.data == 0 || (dead && has(from, kEnter)));
  if (all_dead) state.dead = true;
  if (!state.started && state.control == 0 && (state.live_input >= 0 || state.dead))
    make_ready(edge.to, frame, round);
}

void FrameRun::make_ready(int n, Frame& frame, Round& round) {
  progress(round, n).started = true;
  ++round.outstanding;
  ready_.push_back({n, &frame, &round});
}

void FrameRun::release_inputs(Ready ready) {
  const PlanNode& n = node(ready.node);
  const auto release = [&](int s) {
    const auto local = at(layout_.local_slot[at(s)]);
    if (--ready.round->readers[local] == 0 && plan_.keeps[at(s)] == 0)
      ready.round->slots[local] = Value();
  };
  for (int i = 0; i < n.input_count; ++i) release(plan_.wiring[at(n.input_begin + i)]);
  for (int i = n.deref_begin; i < n.deref_end; ++i) release(plan_.derefs[at(i)].slot);
}

// Retires the oldest rounds that have nothing left to do, and the loop with its last round.
void FrameRun::finish_rounds(Frame* frame) {
  if (frame->parent == nullptr) return;
  while (!frame->rounds.empty()) {
    Round& oldest = *frame->rounds.front();
    if (oldest.outstanding > 0 || frame->enters_to_come > 0) return;
    for (Value& value : oldest.slots) value = Value();
    spare_[at(frame->layout)].push_back(std::move(frame->rounds.front()));
    frame->rounds.pop_front();
    if (frame->parked.empty()) continue;
    const auto parked = std::move(frame->parked);
    frame->parked.clear();
    Round& next = begin_round(*frame);
    for (const auto& [n, value] : parked) {
      slot(next, plan_.wiring[at(node(n).output_begin)]) = value;
      deliver(n, false, *frame, next);
    }
  }
  finish_frame(frame);
}

void FrameRun::finish_frame(Frame* frame) {
  Frame* parent = frame->parent;
  Round* round = frame->parent_round;
  for (const int n : frame->dead_exits) deliver(n, true, *parent, *round);
  const auto key = std::pair(round->number, frame->layout);
  parent->children.erase(key);  // `frame` is gone
  --round->outstanding;
  finish_rounds(parent);
}

void FrameRun::fail(std::exception_ptr error) {
  if (error_) return;
  error_ = std::move(error);
  ready_.clear();
  changed_.notify_all();  // run() tells the kernels: that must not happen under the lock
}

}  // namespace

std::int64_t run_frames(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
                        const ExecutorOptions& options) {
  FrameRun run(plan, workspace, step, pool, options);
  run.run();
  return run.kernels_run();
}

}  // namespace rill
