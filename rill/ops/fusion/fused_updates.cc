#include "rill/ops/fusion/fused_updates.h"

#include <algorithm>
#include <map>

#include "rill/base/subscript.h"
#include "rill/ops/fusion/fusion_groups.h"
#include "rill/ops/train/update_shape.h"
#include "rill/passes/regions.h"

namespace rill {
namespace {

constexpr std::int64_t kSmall = 16'384;  // elements of a variable

bool is_update(const Subgraph::Item& item) {
  return item.is_plain() && item.node->op().has(kFusableUpdate);
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
  const std::string_view flag = update_flag(node.op());
  return !flag.empty() && attr<bool>(node.attrs(), flag);
}

// Updates may be fused when they have the same key. `depth` is the length of the longest chain of
// updates before one: updates of equal depth do not depend on each other.
struct UpdateKey {
  const Op* op;
  DType type;
  bool flag;
  int device, depth, blocking_set;
  std::vector<std::pair<int, int>> scalars;
  auto operator<=>(const UpdateKey&) const = default;
};

std::vector<int> update_depths(const Subgraph& graph) {
  std::vector<int> depth(graph.items.size(), 0);
  const LoopExits exits(graph);
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    const auto wait = [&](int other) {
      if (at(other) >= i) return;  // the back edge of a loop
      const int itself = is_update(graph.items[at(other)]) ? 1 : 0;
      depth[i] = std::max(depth[i], depth[at(other)] + itself);
    };
    for (const Subgraph::Edge& input : graph.items[i].inputs) wait(input.item);
    for (const int control : graph.items[i].controls) wait(control);
    for (const int next : exits.before(static_cast<int>(i))) wait(next);
  }
  return depth;
}

std::map<UpdateKey, std::vector<int>> find_updates(const Subgraph& graph) {
  const Readers readers(graph);
  const std::vector<int> depth = update_depths(graph), regions = find_regions(graph);
  const std::vector<int> blocking_sets = find_blocking_sets(graph, may_block);
  std::map<UpdateKey, std::vector<int>> found;
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    const Subgraph::Item& item = graph.items[i];
    // Not in loops: there an update of one iteration comes before those of the next.
    if (!is_update(item) || regions[i] != 0 || readers.count({static_cast<int>(i), 0}) > 0 ||
        !is_small(variable_shape(graph, item.inputs[0])))
      continue;
    const UpdateArgs args = update_args(item.node->op());
    const DType type = attr<DType>(item.node->attrs(), "T");
    UpdateKey kind{.op = &item.node->op(),
                   .type = type,
                   .flag = flag_of(*item.node),
                   .device = item.device,
                   .depth = depth[i],
                   .blocking_set = blocking_sets[i],
                   .scalars = {}};
    for (const int scalar : args.scalars)
      kind.scalars.emplace_back(item.inputs[at(scalar)].item, item.inputs[at(scalar)].output);
    found[std::move(kind)].push_back(static_cast<int>(i));
  }
  return found;
}

// Replaces the last of `updates` by a node that does all of them; control edges from the others
// will come from it (`moved`).
void join_updates(Subgraph& graph, const UpdateKey& kind, const std::vector<int>& updates,
                  HelperNodes& nodes, std::vector<int>& moved) {
  const UpdateArgs args = update_args(*kind.op);
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
  const Node& node =
      nodes.add(by_reference ? "_FusedApply" : "_FusedResourceApply", near.name(), std::move(types),
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

extern const Rewrite kFusedUpdatesRewrite{
    .name = "fused_updates",
    .doc = "updates of small variables by one optimizer become one node",
    .apply = fuse_updates};

}  // namespace rill
