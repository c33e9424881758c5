#include "rill/runtime/frame_layout.h"

#include <algorithm>
#include <map>

#include "rill/base/error.h"
#include "rill/runtime/plan.h"

namespace rill {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class LayoutBuilder {
 public:
  LayoutBuilder(const Plan& plan, FrameLayout& layout) : plan_(plan), layout_(layout) {}

  void build() {
    const std::size_t count = plan_.nodes.size();
    layout_.frames.push_back({});
    layout_.frame_of_node.assign(count, -1);
    layout_.frame_of_output.assign(count, -1);
    layout_.out_edges.resize(count);
    layout_.data_inputs.assign(count, 0);
    layout_.control_inputs.assign(count, 0);
    for (std::size_t n = 0; n < count; ++n) add_edges(static_cast<int>(n));
    for (std::size_t n = 0; n < count; ++n) place(static_cast<int>(n));
    check_back_edges();
    number_nodes();
    number_slots();
  }

 private:
  const Op& op(int n) const { return plan_.nodes[at(n)].node->op(); }

  void add_edges(int n) {
    for (const Plan::NodeEdge& edge : plan_.node_edges[at(n)]) {
      layout_.out_edges[at(edge.from)].push_back({edge.output, n, edge.input});
      ++(edge.output < 0 ? layout_.control_inputs : layout_.data_inputs)[at(n)];
    }
  }

  // Nodes come after their inputs, back edges apart, so the frames of the inputs are known.
  void place(int n) {
    int frame = 0;
    int decided_by = -1;
    for (const Plan::NodeEdge& edge : plan_.node_edges[at(n)]) {
      const int from = layout_.frame_of_output[at(edge.from)];
      if (from < 0) continue;  // a back edge
      require(decided_by < 0 || from == frame, "The node '", plan_.nodes[at(n)].node->name(),
              "' has inputs from different frames. The input '",
              plan_.nodes[at(edge.from)].node->name(), "' is in frame '", name(from),
              "'. The input '", decided_by < 0 ? "" : plan_.nodes[at(decided_by)].node->name(),
              "' is in frame '", name(frame), "'.");
      frame = from;
      decided_by = edge.from;
    }
    require(frame == 0 || !reads_root(n), "The node '", plan_.nodes[at(n)].node->name(),
            "' has inputs from different frames: a fed or constant tensor and frame '", name(frame),
            "'.");
    layout_.frame_of_node[at(n)] = frame;
    layout_.frame_of_output[at(n)] = output_frame(n, frame);
  }

  const std::string& name(int frame) const { return layout_.frames[at(frame)].name; }

  bool reads_root(int n) const {
    const PlanNode& node = plan_.nodes[at(n)];
    for (int i = 0; i < node.input_count; ++i)
      if (plan_.writer[at(plan_.wiring[at(node.input_begin + i)])] == Plan::kPreset) return true;
    return false;
  }

  int output_frame(int n, int frame) {
    if (op(n).has(kExit)) {
      require(frame != 0, "The node '", plan_.nodes[at(n)].node->name(),
              "' leaves a frame that was never entered.");
      return layout_.frames[at(frame)].parent;
    }
    if (!op(n).has(kEnter)) return frame;
    const Node& node = *plan_.nodes[at(n)].node;
    const auto& frame_name = node.attr<std::string>("frame_name");
    const auto [it, fresh] =
        children_.emplace(std::pair(frame, frame_name), static_cast<int>(layout_.frames.size()));
    if (fresh) {
      FrameLayout::Frame child{.name = frame_name, .parent = frame};
      child.parallel_iterations = static_cast<int>(
          std::max<std::int64_t>(1, node.attr<std::int64_t>("parallel_iterations")));
      layout_.frames.push_back(std::move(child));
    }
    ++layout_.frames[at(it->second)].enter_count;
    return it->second;
  }

  void check_back_edges() const {
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n)
      for (const FrameLayout::Edge& edge : layout_.out_edges[n])
        require(layout_.frame_of_output[n] == layout_.frame_of_node[at(edge.to)], "The edge from '",
                plan_.nodes[n].node->name(), "' to '", plan_.nodes[at(edge.to)].node->name(),
                "' joins different frames.");
  }

  void number_nodes() {
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n)
      layout_.local_node.push_back(
          append(layout_.frames[at(layout_.frame_of_node[n])].nodes, static_cast<int>(n)));
  }

  void number_slots() {
    for (std::size_t s = 0; s < plan_.writer.size(); ++s)
      layout_.local_slot.push_back(
          append(layout_.frames[at(frame_of_slot(plan_.writer[s]))].slots, static_cast<int>(s)));
  }

  int frame_of_slot(int writer) const {
    if (writer == Plan::kPreset) return 0;
    if (writer <= Plan::kScratch) return layout_.frame_of_node[at(Plan::kScratch - writer)];
    return layout_.frame_of_output[at(writer)];
  }

  static int append(std::vector<int>& list, int item) {
    list.push_back(item);
    return static_cast<int>(list.size()) - 1;
  }

  const Plan& plan_;
  FrameLayout& layout_;
  std::map<std::pair<int, std::string>, int> children_;
};

}  // namespace

FrameLayout::FrameLayout(const Plan& plan) { LayoutBuilder(plan, *this).build(); }

}  // namespace rill
