#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include "rill/base/error.h"
#include "rill/base/scheduler.h"
#include "rill/base/thread_pool.h"
#include "rill/runtime/executor/executor.h"
#include "rill/runtime/executor/memory_report.h"
#include "rill/runtime/executor/node_runner.h"
#include "rill/runtime/plan/frame_state.h"

namespace rill {

inline constexpr int kPlainLoop = -1;  // in place of a node: some iterations of a plain loop

// A node that may run, and for which iteration of which loop.
struct Ready {
  int node;
  LoopFrame* frame;
  Iteration* iteration;
  std::int64_t since_nanos = 0;  // in steps that are traced
};

// The frame executor, for plans with Switch, Merge, Enter, Exit and NextIteration. Per step: root
// nodes become ready; work() takes a ready node, runs its kernel (or moves its value, for control
// flow) and delivers the outputs to its successors in the right iteration; a node whose last input
// has arrived becomes ready. Values of a branch that was not taken are delivered as dead. All this
// happens under one lock, which large kernels release while they run; for small ones that would
// cost more than it gains.
class FrameRun {
 public:
  FrameRun(const Plan& plan, Workspace& workspace, StepContext& step, ThreadPool& pool,
           const ExecutorOptions& options)
      : plan_(plan),
        layout_(*plan.frames),
        workspace_(workspace),
        step_(step),
        pool_(pool),
        options_(options),
        memory_(plan, workspace, !options.spread) {
    workspace.spare_iterations.by_layout.resize(layout_.frames.size());
  }

  void run();
  void start(std::shared_ptr<FrameRun> self, Ended ended);  // as start_frames
  std::int64_t kernels_run() const { return kernels_run_; }

 private:
  using Kind = FrameLayout::Kind;
  using Lock = std::unique_lock<std::mutex>;
  const PlanNode& plan_node(int n) const { return plan_.nodes[at(n)]; }
  const FrameLayout::Node& node(int n) const { return layout_.nodes[at(n)]; }
  const std::string& name(int n) const { return plan_node(n).node->name(); }
  NodeProgress& progress(Iteration& iteration, int n) const {
    return iteration.nodes[at(node(n).local)];
  }
  Value& value(Iteration& iteration, int address) const {
    return address >= 0 ? iteration.slots[at(address)] : workspace_.slots[at(~address)];
  }
  Value& input(Iteration& iteration, int n, int i) const {
    return value(iteration, layout_.addresses[at(node(n).input_begin + i)]);
  }
  Value& output(Iteration& iteration, int n, int i) const {
    return iteration.slots[at(layout_.addresses[at(node(n).output_begin + i)])];
  }

  // The run as a whole.
  void start_root(Iteration& root);
  void collect_fetches(Iteration& root);
  void let_frames_go();
  void wait_for_others(Lock& lock);
  void work(Lock& lock);
  void ask_for_help();
  void settle(Lock& lock);
  bool stopped();
  void fail(std::exception_ptr error);
  std::exception_ptr with_live_tensors(std::exception_ptr error);
  void add_live_tensors(const LoopFrame& frame, LiveTensors& live);

  // One node.
  class Pointers;
  void process(Ready ready, Lock& lock);
  void end_node(Ready ready, bool dead);
  bool run_kernel(Ready ready, Lock& lock);
  bool run_async(Ready ready, Lock& lock);
  void end_async(Ready ready, const Pointers& pointers, const NodeBegin& begin,
                 std::exception_ptr failed);
  void prepare(Ready ready, const NodeValues& values);
  void read_references(Ready ready);
  void release_values(Ready ready);

  // Values from and to other partitions.
  void send(Ready ready, bool dead, Lock& lock);
  void receive(Ready ready, Lock& lock);
  void bring(Ready ready, const Tensor& value);
  void received(Ready ready, std::exception_ptr error, Tensor value, bool dead);
  std::string transfer_key(Ready ready) const;
  bool rests(Lock& lock);

  // Control flow, and delivery of values to successors.
  void pass_on(Ready ready);
  void take_branch(Ready ready);
  Value take_input(Ready ready, int i);
  void propagate(Ready ready, bool dead);
  void enter(Ready ready, bool dead);
  void exit(Ready ready, bool dead);
  void next_iteration(Ready ready, bool dead);
  void enter_plain(Ready ready, bool dead, LoopFrame& child);
  void run_plain(LoopFrame& frame, bool starts);
  void deliver(int from, bool dead, LoopFrame& frame, Iteration& iteration);
  void arrive(const FrameLayout::Edge& edge, bool dead, Kind from, LoopFrame& frame,
              Iteration& iteration);
  void arrive_at_merge(const FrameLayout::Edge& edge, bool dead, Kind from, LoopFrame& frame,
                       Iteration& iteration);
  void make_ready(int n, LoopFrame& frame, Iteration& iteration);

  // Iterations and loops.
  std::unique_ptr<Iteration> new_iteration(int layout, std::int64_t number);
  LoopFrame& new_frame();
  LoopFrame& child_frame(Ready ready);
  Iteration& begin_iteration(LoopFrame& frame);
  void retire_oldest_iteration(LoopFrame& frame);
  void finish_iterations(LoopFrame* frame);
  LoopFrame* finish_frame(LoopFrame* frame);

  const Plan& plan_;
  const FrameLayout& layout_;
  Workspace& workspace_;
  StepContext& step_;
  ThreadPool& pool_;
  const ExecutorOptions options_;
  ArenaStep memory_;

  std::mutex mutex_;
  Condition changed_;
  std::deque<Ready> ready_;
  int expensive_ready_ = 0;                         // of those in ready_
  std::vector<std::unique_ptr<LoopFrame>> frames_;  // all that were ever needed at once
  std::vector<LoopFrame*> spare_frames_;
  LoopFrame root_;
  int running_ = 0;    // kernels that run now, and receives that wait
  int receiving_ = 0;  // of those, receives
  int busy_ = 0;       // of those, kernels that keep a thread that would work on
  bool resting_ = false;
  int helpers_ = 0;  // threads of the pool that still refer to this object
  std::int64_t kernels_run_ = 0;
  std::exception_ptr error_;
  // Of a run that nobody waits for.
  Ended ended_;
  std::shared_ptr<FrameRun> self_;
  bool told_ = false;  // the kernels know of the error
};

// The values of one run of a node, on the stack when they are few.
class FrameRun::Pointers {
 public:
  Pointers(const FrameRun& run, Ready ready) {
    const PlanNode& n = run.plan_node(ready.node);
    input_count_ = at(n.input_count);
    count_ = at(n.input_count + n.output_count);
    if (count_ > kFew) many_.resize(count_);
    Value** all = count_ > kFew ? many_.data() : few_;
    for (int i = 0; i < n.input_count; ++i) *all++ = &run.input(*ready.iteration, ready.node, i);
    for (int i = 0; i < n.output_count; ++i) *all++ = &run.output(*ready.iteration, ready.node, i);
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

}  // namespace rill
