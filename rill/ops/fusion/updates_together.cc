#include "rill/ops/fusion/updates_together.h"

#include <algorithm>
#include <map>

#include "rill/base/subscript.h"
#include "rill/ops/fusion/item_groups.h"
#include "rill/ops/train/step_shape.h"
#include "rill/passes/regions.h"

namespace rill {
namespace {

constexpr std::int64_t kSmall = 16'384;  // elements of a variable

bool is_update(const Subgraph::Item& item) {
  return item.is_plain() && item.node->op().has(kJoinableUpdate);
}

// What is known ahead of the shape of the variable that an edge brings.
PartialShape variable_shape(const Subgraph& graph, Subgraph::Edge edge) {
  const Subgraph::Item& item = graph.items[at(edge.item)];
  if (!item.is_plain()) return {};
  if (item.node->op().name == "VarHandleOp") return attr<PartialShape>(item.node->attrs(), "shape");
  return is_ref(graph.dtype(edge)) ? item.node->output_shape(edge.output) : PartialShape();
}

bool is_small(const PartialShape& shape) {
  if (!shape.is_full()) return false;
  std::int64_t count = 1;
  for (int d = 0; d < shape.rank() && count <= kSmall; ++d) count *= shape.dim(d);
  return count <= kSmall;
}

bool flag_of(const Node& node) {
  for (const char* flag : {"use_nesterov", "update_slots"})
    if (node.op().find_attr(flag) != nullptr) return attr<bool>(node.attrs(), flag);
  return false;
}

// Updates that may be taken together have all of this in common. `behind` counts the updates that
// one stands behind: those with the same number do not wait for each other.
struct UpdateKey {
  const Op* op;
  DType type;
  bool flag;
  int device, behind, waits;
  std::vector<std::pair<int, int>> scalars;
  auto operator<=>(const UpdateKey&) const = default;
};

std::vector<int> updates_before(const Subgraph& graph) {
  std::vector<int> before(graph.items.size(), 0);
  const LoopExits ends(graph);
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    const auto wait = [&](int other) {
      if (at(other) >= i) return;  // the way back of a loop
      const int itself = is_update(graph.items[at(other)]) ? 1 : 0;
      before[i] = std::max(before[i], before[at(other)] + itself);
    };
    for (const Subgraph::Edge& input : graph.items[i].inputs) wait(input.item);
    for (const int control : graph.items[i].controls) wait(control);
    for (const int round : ends.before(static_cast<int>(i))) wait(round);
  }
  return before;
}

std::map<UpdateKey, std::vector<int>> find_updates(const Subgraph& graph) {
  const Readers readers(graph);
  const std::vector<int> before = updates_before(graph), regions = find_regions(graph);
  const std::vector<int> waits = find_blocking_sets(graph, may_wait);
  std::map<UpdateKey, std::vector<int>> found;
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    const Subgraph::Item& item = graph.items[i];
    // In loops an update of one round comes before those of the next.
    if (!is_update(item) || regions[i] != 0 || readers.count({static_cast<int>(i), 0}) > 0 ||
        !is_small(variable_shape(graph, item.inputs[0])))
      continue;
    const StepArgs args = step_args(item.node->op());
    const DType type = attr<DType>(item.node->attrs(), "T");
    UpdateKey kind{.op = &item.node->op(),
                   .type = type,
                   .flag = flag_of(*item.node),
                   .device = item.device,
                   .behind = before[i],
                   .waits = waits[i],
                   .scalars = {}};
    for (const int scalar : args.scalars)
      kind.scalars.emplace_back(item.inputs[at(scalar)].item, item.inputs[at(scalar)].output);
    found[std::move(kind)].push_back(static_cast<int>(i));
  }
  return found;
}

// The last of `updates` becomes all of them; who waited for another one waits for it.
void join_updates(Subgraph& graph, const UpdateKey& kind, const std::vector<int>& updates,
                  HelperNodes& nodes, std::vector<int>& moved) {
  const StepArgs args = step_args(*kind.op);
  const int last = updates.back();
  const Node& near = *graph.items[at(last)].node;
  std::vector<Subgraph::Edge> inputs;
  std::vector<Output> types;
  const auto add = [&](Subgraph::Edge edge, DType type) {
    inputs.push_back(edge);
    types.push_back(nodes.any(type, near));
  };
  const DType state_type = near.input_type(0);
  for (const int update : updates)
    for (int s = 0; s < args.states; ++s) add(graph.items[at(update)].inputs[at(s)], state_type);
  for (const int update : updates) add(graph.items[at(update)].inputs[at(args.grad)], kind.type);
  for (const auto& [item, output] : kind.scalars) add({item, output}, kind.type);
  const auto count = static_cast<std::int64_t>(updates.size());
  const bool by_reference = is_ref(state_type);
  const Node& node = nodes.add(by_reference ? "_ApplyTogether" : "_ResourceApplyTogether",
                               near.name(), std::move(types),
                               {{"T", kind.type},
                                {"N", count * args.states},
                                {"M", count},
                                {"K", static_cast<std::int64_t>(kind.scalars.size())},
                                {"update", kind.op->name},
                                {"flag", kind.flag}},
                               near);
  replace(graph, last, node, std::move(inputs), {updates.data(), updates.size() - 1});
  for (const int update : updates) moved[at(update)] = last;
}

int fuse_updates(Subgraph& graph, HelperNodes& nodes) {
  std::vector<int> moved(graph.items.size(), -1);
  int changed = 0;
  for (const auto& [kind, updates] : find_updates(graph)) {
    if (updates.size() < 2) continue;
    join_updates(graph, kind, updates, nodes, moved);
    ++changed;
  }
  if (changed == 0) return 0;
  const auto move = [&](int& item) {
    if (moved[at(item)] >= 0) item = moved[at(item)];
  };
  for (Subgraph::Item& item : graph.items) {
    for (int& control : item.controls) move(control);
    std::ranges::sort(item.controls);
    item.controls.erase(std::unique(item.controls.begin(), item.controls.end()),
                        item.controls.end());
  }
  for (int& target : graph.targets) move(target);
  return changed;
}

}  // namespace

extern const Rewrite kUpdatesTogether{
    .name = "updates_together",
    .doc = "an optimizer's steps on small variables become one node",
    .apply = fuse_updates};

}  // namespace rill
