#include "rill/runtime/plan/plan.h"

#include <algorithm>

#include "rill/kernel/fast_paths.h"

namespace rill {

// Fills a Plan from a Subgraph in four walks: slots, nodes, lifetimes, dependencies.
class PlanBuilder {
 public:
  PlanBuilder(Plan& plan, const Subgraph& graph, KernelCache& kernels, bool takes_feeds)
      : plan_(plan), graph_(graph), kernels_(kernels), takes_feeds_(takes_feeds) {}

  void build(std::size_t feed_count) {
    find_control_flow();
    assign_slots(feed_count);
    for (std::size_t i = 0; i < graph_.items.size(); ++i)
      if (is_node(i)) add_node(static_cast<int>(i));
    run_functions_side_by_side();
    for (const auto& fetch : graph_.fetches) {
      plan_.fetch_slots.push_back(slot(fetch));
      plan_.keeps[index(plan_.fetch_slots.back())] = 1;
    }
    find_lifetimes();
    find_dependencies();
    expect_long_steps();
    if (has_control_flow_) {
      add_node_edges();
      plan_.frames = std::make_unique<FrameLayout>(plan_);
      check_fetches();
    }
    make_arenas();
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int slot(const Subgraph::Edge& edge) const { return first_slot_[index(edge.item)] + edge.output; }
  int new_slot(int writer) {
    plan_.writer.push_back(writer);
    plan_.keeps.push_back(0);
    plan_.reader_counts.push_back(0);
    return plan_.slot_count++;
  }

  bool is_node(std::size_t item) const { return graph_.items[item].is_plain() && !gates_[item]; }

  void find_control_flow() {
    has_control_flow_ = graph_.helpers != nullptr;
    for (const auto& item : graph_.items)
      has_control_flow_ |= item.is_plain() && item.node->op().has(kControlFlow | kSend | kRecv);
    gates_.assign(graph_.items.size(), has_control_flow_ ? 1 : 0);
    if (has_control_flow_) find_gates();
  }

  // The Identity of a branch or a loop that others only wait for need not run: who waits for it
  // waits for its input instead.
  void find_gates() {
    for (std::size_t i = 0; i < graph_.items.size(); ++i) {
      const auto& item = graph_.items[i];
      if (!item.is_plain() || !item.node->op().has(kIdentity) || item.inputs.size() != 1 ||
          !item.controls.empty() || is_ref(graph_.dtype(item.inputs[0])))
        gates_[i] = 0;
      for (const auto& input : item.inputs) gates_[index(input.item)] = 0;
    }
    for (const auto& fetch : graph_.fetches) gates_[index(fetch.item)] = 0;
    for (const int target : graph_.targets) gates_[index(target)] = 0;
  }

  void assign_slots(std::size_t feed_count) {
    plan_.feed_slots.assign(feed_count, -1);
    plan_.feed_names.resize(feed_count);
    plan_node_.assign(graph_.items.size(), -1);
    int node = 0;
    for (const auto& item : graph_.items) {
      first_slot_.push_back(plan_.slot_count);
      if (item.is_plain()) {
        if (!is_node(first_slot_.size() - 1)) continue;
        for (int i = 0; i < item.node->output_count(); ++i) new_slot(node);
        ++node;
        continue;
      }
      new_slot(Plan::kPreset);
      // A loop reads what is fed in every iteration.
      plan_.keeps.back() = item.feed < 0 || !takes_feeds_ || has_control_flow_;
      if (item.feed >= 0) {
        plan_.feed_slots[index(item.feed)] = first_slot_.back();
        plan_.feed_names[index(item.feed)] = str_cat(item.node->name(), ":", item.constant_output);
      } else {
        plan_.constants.emplace_back(first_slot_.back(), *item.constant);
      }
    }
  }

  void add_node(int item_index) {
    const auto& item = graph_.items[index(item_index)];
    PlanNode node;
    node.node = item.node;
    node.replaced = item.replaced;
    const Graph* const home = &item.node->graph();
    // A kernel that only this plan has: the nodes go with it.
    node.kernel = home == graph_.helpers || home == graph_.rewritten.get()
                      ? make_kernel(*item.node, kernels_.registry(), kernels_.device(item.device))
                      : kernels_.get(*item.node, item.device);
    const KernelEntry& entry = *node.kernel->entry;
    node.run = node.kernel->waits ? nullptr : entry.run;
    node.structured = node.run != nullptr && !entry.allocates;
    node.in_place =
        node.run != nullptr && item.node->op().has(kInPlace) && takes(FastPath::kInPlace);
    node.expensive = entry.expensive;
    node.fills_variables = item.node->op().has(kFillsVariables);
    if (node.fills_variables)
      node.restore_targets = find_restore_targets(graph_, item_index, kernels_);
    plan_.has_async |= node.run == nullptr;
    add_inputs(item, node);
    node.output_begin = static_cast<int>(plan_.wiring.size());
    node.output_count = item.node->output_count();
    for (int i = 0; i < node.output_count; ++i)
      plan_.wiring.push_back(first_slot_[index(item_index)] + i);
    plan_node_[index(item_index)] = static_cast<int>(plan_.nodes.size());
    item_of_.push_back(item_index);
    plan_.nodes.push_back(std::move(node));
  }

  // Functions of the program may wait for each other: where there are several, each has a thread.
  void run_functions_side_by_side() {
    std::vector<PlanNode*> calls;
    for (PlanNode& node : plan_.nodes)
      if (node.run != nullptr && node.kernel->entry->run_async != nullptr &&
          node.node->op().has(kRunsForeignCode))
        calls.push_back(&node);
    if (calls.size() < 2) return;
    for (PlanNode* call : calls) call->run = nullptr;
    plan_.has_async = true;
  }

  void add_inputs(const Subgraph::Item& item, PlanNode& node) {
    node.input_begin = static_cast<int>(plan_.wiring.size());
    node.input_count = static_cast<int>(item.inputs.size());
    node.deref_begin = static_cast<int>(plan_.derefs.size());
    for (std::size_t i = 0; i < item.inputs.size(); ++i) {
      int from = slot(item.inputs[i]);
      ++plan_.reader_counts[index(from)];
      const bool reads_value = !is_ref(item.node->input_type(static_cast<int>(i)));
      if (reads_value && is_ref(graph_.dtype(item.inputs[i]))) {
        const int scratch = new_slot(Plan::kScratch - static_cast<int>(plan_.nodes.size()));
        plan_.derefs.push_back({from, scratch});
        ++plan_.reader_counts[index(scratch)];
        from = scratch;
      }
      plan_.wiring.push_back(from);
    }
    node.deref_end = static_cast<int>(plan_.derefs.size());
  }

  // In the fixed order, a slot dies with its last reader, or with its writer when nobody reads it.
  void find_lifetimes() {
    std::vector<int> last(index(plan_.slot_count), -1);
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      const PlanNode& node = plan_.nodes[n];
      for (int i = 0; i < node.input_count; ++i)
        last[index(plan_.wiring[index(node.input_begin + i)])] = static_cast<int>(n);
      for (int i = node.deref_begin; i < node.deref_end; ++i)
        last[index(plan_.derefs[index(i)].slot)] = static_cast<int>(n);
      for (int i = 0; i < node.output_count; ++i)
        last[index(plan_.wiring[index(node.output_begin + i)])] = static_cast<int>(n);
    }
    std::vector<std::vector<int>> ends(plan_.nodes.size());
    for (int s = 0; s < plan_.slot_count; ++s)
      if (last[index(s)] >= 0 && plan_.keeps[index(s)] == 0)
        ends[index(last[index(s)])].push_back(s);
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      PlanNode& node = plan_.nodes[n];
      node.dying_begin = static_cast<int>(plan_.dying.size());
      plan_.dying.insert(plan_.dying.end(), ends[n].begin(), ends[n].end());
      node.dying_end = static_cast<int>(plan_.dying.size());
      for (int i = 0; i < std::min(node.input_count, 64); ++i) {
        const int s = plan_.wiring[index(node.input_begin + i)];
        if (last[index(s)] != static_cast<int>(n) || plan_.keeps[index(s)] != 0) continue;
        node.takeable_in_order |= std::uint64_t{1} << i;
        if (plan_.reader_counts[index(s)] == 1) node.takeable_alone |= std::uint64_t{1} << i;
      }
    }
  }

  void find_dependencies() {
    std::vector<std::vector<int>> after(plan_.nodes.size());
    int depth_of_last_expensive = -1;
    std::vector<int> depth(plan_.nodes.size(), 0);  // expensive nodes on the longest way to here
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      const auto& item = graph_.items[index(item_of_[n])];
      std::vector<int> before;
      const auto add = [&](int item_index) {
        const int node = plan_node_[index(item_index)];
        if (node >= 0) before.push_back(node);
      };
      for (const auto& input : item.inputs) add(input.item);
      for (const int control : item.controls) add(control);
      std::ranges::sort(before);
      before.erase(std::unique(before.begin(), before.end()), before.end());
      plan_.nodes[n].pending = static_cast<int>(before.size());
      for (const int node : before) {
        after[index(node)].push_back(static_cast<int>(n));
        depth[n] = std::max(depth[n], depth[index(node)]);
      }
      if (!plan_.nodes[n].expensive) continue;
      plan_.has_parallelism |= depth[n] <= depth_of_last_expensive;
      depth_of_last_expensive = std::max(depth_of_last_expensive, depth[n]);
      ++depth[n];
    }
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      plan_.nodes[n].successor_begin = static_cast<int>(plan_.successors.size());
      plan_.successors.insert(plan_.successors.end(), after[n].begin(), after[n].end());
      plan_.nodes[n].successor_end = static_cast<int>(plan_.successors.size());
    }
  }

  // Ops on checkpoints take long enough for threads of their own, and often run just once: too
  // seldom to learn it.
  void expect_long_steps() {
    const auto is_long = [](const PlanNode& node) { return node.node->op().has(kLongRunning); };
    if (std::ranges::count_if(plan_.nodes, is_long) < 2) return;
    constexpr std::int64_t kLong = std::int64_t{3'600'000'000'000};
    plan_.last_nanos = kLong;
    plan_.last_kernel_nanos = kLong;
    plan_.schedule.expect_long_steps();
  }

  // What is fetched, what is in loops, and what another allocator serves, has no part in them.
  void make_arenas() {
    if (plan_.nodes.empty()) return;
    Device& device = *plan_.nodes.front().kernel->node.device;
    Allocator* const from = &device.allocator(device.memory_kind());
    std::vector<char> barred;
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      PlanNode& node = plan_.nodes[n];
      const bool in_loop = plan_.frames != nullptr && plan_.frames->nodes[n].frame != 0;
      node.place_begin = static_cast<int>(barred.size());
      for (int i = 0; i < node.output_count; ++i)
        barred.push_back(in_loop || &node.kernel->node.output_allocator(i) != from ||
                         plan_.keeps[index(plan_.wiring[index(node.output_begin + i)])] != 0);
    }
    if (!barred.empty()) plan_.arenas = std::make_unique<PlanArenas>(*from, std::move(barred));
  }

  void add_node_edges() {
    plan_.node_edges.resize(plan_.nodes.size());
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      const auto& item = graph_.items[index(item_of_[n])];
      auto& edges = plan_.node_edges[n];
      for (std::size_t i = 0; i < item.inputs.size(); ++i)
        if (const int from = plan_node_[index(item.inputs[i].item)]; from >= 0)
          edges.push_back({from, item.inputs[i].output, static_cast<int>(i)});
      for (const int control : item.controls) add_control_edge(control, item, edges);
    }
  }

  void add_control_edge(int control, const Subgraph::Item& item,
                        std::vector<Plan::NodeEdge>& edges) const {
    const bool through = gates_[index(control)] != 0;
    const Subgraph::Edge source =
        through ? graph_.items[index(control)].inputs[0] : Subgraph::Edge{control, -1};
    const int from = plan_node_[index(source.item)];
    if (from < 0) return;             // a feed or a constant is always there
    constexpr std::size_t kFew = 16;  // beyond, looking costs more than an edge too many
    const auto says_the_same = [&](const Plan::NodeEdge& edge) {
      return edge.from == from && (source.output < 0 || edge.output == source.output);
    };
    // A Merge goes on when one input is alive, so there an input does not stand for a control edge.
    if (!item.node->op().has(kMerge) && edges.size() <= kFew &&
        std::ranges::any_of(edges, says_the_same))
      return;
    edges.push_back({from, source.output, -1});
  }

  void check_fetches() const {
    for (const int slot : plan_.fetch_slots) {
      const int writer = plan_.writer[index(slot)];
      require(writer == Plan::kPreset || plan_.frames->nodes[index(writer)].output_frame == 0,
              "cannot fetch '", writer < 0 ? "" : plan_.nodes[index(writer)].node->name(),
              "', which is inside a loop");
    }
  }

  Plan& plan_;
  const Subgraph& graph_;
  KernelCache& kernels_;
  const bool takes_feeds_;
  std::vector<int> first_slot_;  // per item
  std::vector<int> plan_node_;   // per item; -1: a feed or a constant
  std::vector<int> item_of_;     // per plan node
  std::vector<char> gates_;      // per item: an Identity that is only waited for
  bool has_control_flow_ = false;
};

Plan::Plan(const Subgraph& graph, std::size_t feed_count, KernelCache& kernels, bool takes_feeds) {
  rewritten = graph.rewritten;
  fired = graph.fired;
  PlanBuilder(*this, graph, kernels, takes_feeds).build(feed_count);
}

std::unique_ptr<Workspace> Plan::take_workspace() {
  {
    std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto workspace = std::move(idle_.back());
      idle_.pop_back();
      return workspace;
    }
  }
  auto workspace = std::make_unique<Workspace>();
  workspace->slots.resize(static_cast<std::size_t>(slot_count));
  for (const int slot : wiring)
    workspace->pointers.push_back(&workspace->slots[static_cast<std::size_t>(slot)]);
  workspace->memos.resize(nodes.size());
  workspace->pending = std::make_unique<std::atomic<int>[]>(nodes.size());
  workspace->readers = std::make_unique<std::atomic<int>[]>(static_cast<std::size_t>(slot_count));
  for (const auto& [slot, value] : constants)
    workspace->slots[static_cast<std::size_t>(slot)].tensor = value;
  return workspace;
}

void Plan::give_back(std::unique_ptr<Workspace> workspace) {
  std::lock_guard lock(mutex_);
  idle_.push_back(std::move(workspace));
}

}  // namespace rill
