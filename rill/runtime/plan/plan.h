#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "rill/passes/subgraph.h"
#include "rill/runtime/memory/resource_store.h"
#include "rill/runtime/plan/frame_layout.h"
#include "rill/runtime/plan/frame_state.h"
#include "rill/runtime/plan/kernel_cache.h"
#include "rill/runtime/plan/plan_arenas.h"
#include "rill/runtime/plan/restore_in_place.h"
#include "rill/runtime/plan/schedule_tuner.h"
#include "rill/runtime/plan/shape_memo.h"
#include "rill/runtime/plan/step_sample.h"
#include "rill/runtime/step/step_cancellation.h"

namespace rill {

struct NodeTexts;

// A node of a plan: its kernel, and the positions of its inputs, outputs and edges in the plan's
// flat arrays.
struct PlanNode {
  std::shared_ptr<KernelInstance> kernel;
  const Node* node = nullptr;
  KernelFn run = nullptr;  // nullptr: asynchronous
  bool structured = false, expensive = false;
  bool in_place = false;                   // output 0 may take over the storage of an input
  int input_begin = 0, input_count = 0;    // into Plan::wiring: slots
  int output_begin = 0, output_count = 0;  // into Plan::wiring: slots
  int dying_begin = 0, dying_end = 0;      // into Plan::dying: slots nobody reads afterwards
  int deref_begin = 0, deref_end = 0;      // into Plan::derefs
  int place_begin = 0;                     // of its outputs, in the plan's arenas
  // Buffer reuse: inputs (of the first 64, a bit each) whose storage an output may take over. In
  // the serial order those whose last use is here; in dataflow order those that no other node
  // reads.
  std::uint64_t takeable_in_order = 0, takeable_alone = 0;
  int pending = 0;                             // nodes that must end before (dataflow)
  int successor_begin = 0, successor_end = 0;  // into Plan::successors
  bool fills_variables = false;                // its outputs may be written into `restore_targets`
  std::vector<RestoreTarget> restore_targets;
  Subgraph::ReplacedNodes replaced;  // the program's nodes that a rewritten one stands for
};

// A reference that is read as a value: `scratch` receives a snapshot of the variable in `slot`.
struct Deref {
  int slot, scratch;
};

// The mutable state of one running step. A plan keeps idle workspaces for later steps; concurrent
// steps have one each.
struct Workspace {
  std::vector<Value> slots;
  std::vector<Value*> pointers;                 // parallel to Plan::wiring
  std::vector<ShapeMemo> memos;                 // one per node
  std::unique_ptr<std::atomic<int>[]> pending;  // one per node, for the dataflow executor
  std::unique_ptr<std::atomic<int>[]> readers;  // one per slot, for the dataflow executor
  SpareIterations spare_iterations;             // for the frame executor
  ResourceStore step_resources{"step"};
  StepCancellation cancellation;
  WorkspaceArena arena;
  StepSample sample;
};

// A compiled signature: kernels in topological order with preassigned slots. Immutable but for its
// workspaces and what was measured about its steps.
class Plan {
 public:
  // With `takes_feeds` the step owns fed values: they are freed after their last use, which may
  // reuse their storage. Otherwise they are borrowed.
  Plan(const Subgraph& graph, std::size_t feed_count, KernelCache& kernels,
       bool takes_feeds = false);

  std::vector<PlanNode> nodes;  // in an order that respects every edge
  std::vector<int> wiring, dying, successors;
  std::vector<Deref> derefs;
  std::vector<int> feed_slots, fetch_slots;
  std::vector<std::string> feed_names;            // "x:0", for messages
  std::vector<std::pair<int, Tensor>> constants;  // slots that hold the same value in every run
  std::vector<int> reader_counts;                 // per slot: how many nodes read it
  std::vector<char> keeps;  // per slot: holds its value to the end of the step
  // Per slot, who writes it: a node, kPreset (a feed or a constant), or kScratch - n for the
  // scratch of node n.
  std::vector<int> writer;
  static constexpr int kPreset = -1, kScratch = -2;
  // Edges between nodes as their target sees them, data first. Output -1 is a control edge; input
  // -1 brings no value.
  struct NodeEdge {
    int from, output, input;
  };
  std::vector<std::vector<NodeEdge>> node_edges;
  std::unique_ptr<FrameLayout> frames;  // only with control flow, or as one of several partitions
  std::vector<std::shared_ptr<Plan>> others;  // what other devices run of the same step
  std::shared_ptr<const Graph> helpers;       // nodes that are not the program's
  std::shared_ptr<const Graph> rewritten;     // nodes that rewriting made
  std::vector<Subgraph::Fired> fired;         // which rewrites made them
  std::unique_ptr<PlanArenas> arenas;         // none: every value is allocated for itself
  int slot_count = 0;
  bool has_async = false;
  bool has_parallelism = false;  // there are two independent expensive nodes

  // How long a step took last time and how long a kernel of it, 0 before the first; decides on the
  // executor and its threads.
  std::atomic<std::int64_t> last_nanos{0}, last_kernel_nanos{0};
  ScheduleTuner schedule;  // for steps that are worth several threads

  std::unique_ptr<Workspace> take_workspace();
  void give_back(std::unique_ptr<Workspace> workspace);

  // What statistics call the nodes, in their order; made for the first step that is traced.
  std::shared_ptr<const std::vector<NodeTexts>> texts() const;

 private:
  friend class PlanBuilder;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const std::vector<NodeTexts>> texts_;
  std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace rill
