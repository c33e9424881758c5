#include "rill/runtime/plan/frame_layout.h"

#include <algorithm>
#include <map>

#include "rill/base/error.h"
#include "rill/kernel/fast_paths.h"
#include "rill/runtime/plan/plan.h"

namespace rill {
namespace {

FrameLayout::Kind kind_of(const Node& node) {
  using Kind = FrameLayout::Kind;
  const Op& op = node.op();
  if (op.has(kSwitch)) return Kind::kSwitch;
  if (op.has(kMerge)) return Kind::kMerge;
  if (op.has(kEnter)) return node.attr<bool>("is_constant") ? Kind::kConstantEnter : Kind::kEnter;
  if (op.has(kExit)) return Kind::kExit;
  if (op.has(kSend)) return Kind::kSend;
  if (op.has(kRecv)) return Kind::kRecv;
  return op.has(kNextIteration) ? Kind::kNextIteration : Kind::kKernel;
}

class LayoutBuilder {
 public:
  using Kind = FrameLayout::Kind;
  LayoutBuilder(const Plan& plan, FrameLayout& layout) : plan_(plan), layout_(layout) {}

  void build() {
    layout_.frames.push_back({});
    layout_.nodes.resize(plan_.nodes.size());
    for (FrameLayout::Node& node : layout_.nodes) node.output_frame = kUnplaced;
    for (int n = 0; n < node_count(); ++n) place(n);
    for (int n = 0; n < node_count(); ++n) number_node(n);
    add_edges();
    number_slots();
    for (int n = 0; n < node_count(); ++n) find_values(n);
    for (std::size_t f = 1; f < layout_.frames.size(); ++f) {
      auto plain = find_plain_loop(plan_, layout_, static_cast<int>(f));
      if (plain != nullptr && takes(FastPath::kPlainLoops))
        layout_.frames[f].plain = std::move(plain);
    }
  }

 private:
  static constexpr int kUnplaced = -1;

  int node_count() const { return static_cast<int>(plan_.nodes.size()); }
  FrameLayout::Node& node(int n) { return layout_.nodes[at(n)]; }
  const rill::Node& graph_node(int n) const { return *plan_.nodes[at(n)].node; }
  const std::string& frame_name(int frame) const { return layout_.frames[at(frame)].name; }

  // Nodes come after their inputs, back edges apart, so the frames of the inputs are known.
  void place(int n) {
    int frame = 0;
    int decided_by = -1;
    for (const Plan::NodeEdge& edge : plan_.node_edges[at(n)]) {
      const int from = node(edge.from).output_frame;
      if (from == kUnplaced) continue;  // a back edge
      require(decided_by < 0 || from == frame, "The node '", graph_node(n).name(),
              "' has inputs from different frames. The input '", graph_node(edge.from).name(),
              "' is in frame '", frame_name(from), "'. The input '",
              decided_by < 0 ? "" : graph_node(decided_by).name(), "' is in frame '",
              frame_name(frame), "'.");
      frame = from;
      decided_by = edge.from;
    }
    node(n).kind = kind_of(graph_node(n));
    node(n).runs_dead = graph_node(n).op().has(kRunsDead);
    node(n).frame = frame;
    node(n).output_frame = output_frame(n, frame);
  }

  int output_frame(int n, int frame) {
    switch (node(n).kind) {
      case Kind::kEnter:
      case Kind::kConstantEnter:
        return entered_frame(graph_node(n), frame);
      case Kind::kExit:
        require(frame != 0, "Invalid Exit op: Cannot find a corresponding Enter op for '",
                graph_node(n).name(), "'.");
        return layout_.frames[at(frame)].parent;
      case Kind::kNextIteration:
        require(frame != 0, "The node '", graph_node(n).name(),
                "' leads to the next iteration, but no loop was entered before it.");
        return frame;
      default:
        return frame;
    }
  }

  int entered_frame(const rill::Node& enter, int parent) {
    const auto& name = enter.attr<std::string>("frame_name");
    const auto [it, fresh] =
        children_.emplace(std::pair(parent, name), static_cast<int>(layout_.frames.size()));
    if (fresh) {
      FrameLayout::Frame child{.name = name, .parent = parent};
      const auto wanted = enter.attr<std::int64_t>("parallel_iterations");
      child.parallel_iterations = static_cast<int>(std::clamp<std::int64_t>(wanted, 1, 1 << 30));
      layout_.frames.push_back(std::move(child));
    }
    ++layout_.frames[at(it->second)].enter_count;
    return it->second;
  }

  void number_node(int n) {
    FrameLayout::Frame& frame = layout_.frames[at(node(n).frame)];
    node(n).local = static_cast<int>(frame.nodes.size());
    frame.nodes.push_back(n);
    frame.progress.push_back(initial_progress(n));
  }

  NodeProgress initial_progress(int n) {
    NodeProgress progress;
    const bool is_merge = node(n).kind == Kind::kMerge;
    for (const Plan::NodeEdge& edge : plan_.node_edges[at(n)])
      ++(is_merge && edge.input >= 0 ? progress.data : progress.waiting);
    if (is_merge) progress.live_input = preset_input(n);
    return progress;
  }

  // The input of a Merge that is a feed or a constant, alive from the start; -1 if none is.
  int preset_input(int n) {
    const PlanNode& merge = plan_.nodes[at(n)];
    int found = -1;
    for (int i = 0; i < merge.input_count; ++i) {
      if (plan_.writer[at(plan_.wiring[at(merge.input_begin + i)])] != Plan::kPreset) continue;
      require(node(n).frame == 0, "The node '", merge.node->name(),
              "' has inputs from different frames: a fed or constant one, and frame '",
              frame_name(node(n).frame), "'.");
      if (found < 0) found = i;
    }
    return found;
  }

  void add_edges() {
    std::vector<std::vector<FrameLayout::Edge>> out(plan_.nodes.size());
    for (int n = 0; n < node_count(); ++n) {
      for (const Plan::NodeEdge& edge : plan_.node_edges[at(n)]) {
        require(node(edge.from).output_frame == node(n).frame, "The edge from '",
                graph_node(edge.from).name(), "' to '", graph_node(n).name(),
                "' joins different frames.");
        out[at(edge.from)].push_back({edge.output, n, edge.input});
      }
    }
    for (int n = 0; n < node_count(); ++n) {
      node(n).edge_begin = static_cast<int>(layout_.edges.size());
      layout_.edges.insert(layout_.edges.end(), out[at(n)].begin(), out[at(n)].end());
      node(n).edge_end = static_cast<int>(layout_.edges.size());
    }
  }

  void number_slots() {
    for (std::size_t s = 0; s < plan_.writer.size(); ++s) {
      if (plan_.writer[s] == Plan::kPreset) {
        layout_.slot_address.push_back(~static_cast<int>(s));
        continue;
      }
      auto& readers = layout_.frames[at(frame_of_slot(plan_.writer[s]))].readers;
      layout_.slot_address.push_back(static_cast<int>(readers.size()));
      // A slot that is kept to the end never loses its last reader; one that nobody reads is
      // given up by the kernel that wrote it.
      const bool one_more = plan_.keeps[s] != 0 || is_unread_output(static_cast<int>(s));
      readers.push_back(plan_.reader_counts[s] + (one_more ? 1 : 0));
    }
  }

  bool is_unread_output(int s) {
    const int writer = plan_.writer[at(s)];
    return writer >= 0 && node(writer).kind == Kind::kKernel && plan_.reader_counts[at(s)] == 0 &&
           plan_.keeps[at(s)] == 0;
  }

  int frame_of_slot(int writer) {
    if (writer <= Plan::kScratch) return node(Plan::kScratch - writer).frame;
    return node(writer).output_frame;
  }

  void find_values(int n) {
    const PlanNode& plan_node = plan_.nodes[at(n)];
    const auto address = [&](int s) { return layout_.slot_address[at(s)]; };
    node(n).input_begin = static_cast<int>(layout_.addresses.size());
    node(n).release_begin = static_cast<int>(layout_.releases.size());
    const auto reads = [&](int s) {
      if (address(s) >= 0) layout_.releases.push_back(address(s));
    };
    for (int i = 0; i < plan_node.input_count; ++i) {
      const int s = plan_.wiring[at(plan_node.input_begin + i)];
      layout_.addresses.push_back(address(s));
      reads(s);
    }
    for (int i = plan_node.deref_begin; i < plan_node.deref_end; ++i)
      reads(plan_.derefs[at(i)].slot);
    node(n).output_begin = static_cast<int>(layout_.addresses.size());
    for (int i = 0; i < plan_node.output_count; ++i) {
      const int s = plan_.wiring[at(plan_node.output_begin + i)];
      layout_.addresses.push_back(address(s));
      if (is_unread_output(s)) reads(s);
    }
    node(n).release_end = static_cast<int>(layout_.releases.size());
  }

  const Plan& plan_;
  FrameLayout& layout_;
  std::map<std::pair<int, std::string>, int> children_;
};

}  // namespace

FrameLayout::FrameLayout(const Plan& plan) { LayoutBuilder(plan, *this).build(); }

}  // namespace rill
