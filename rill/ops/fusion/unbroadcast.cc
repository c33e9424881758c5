#include "rill/ops/fusion/unbroadcast.h"

#include <algorithm>

#include "rill/base/subscript.h"
#include "rill/passes/effects.h"
#include "rill/passes/regions.h"

namespace rill {
namespace {

bool is_op(const Subgraph::Item& item, std::string_view name) {
  return item.is_plain() && item.node->op().name == name;
}

// Whether an item stays in its loop and branch when it reads nothing but these. What is made of
// constants alone would leave it.
bool stays(const Subgraph& graph, const std::vector<int>& regions, int item,
           std::initializer_list<Subgraph::Edge> inputs) {
  const auto is_same = [&](int other) { return regions[at(other)] == regions[at(item)]; };
  return regions[at(item)] == 0 || std::ranges::any_of(graph.items[at(item)].controls, is_same) ||
         std::ranges::any_of(inputs, is_same, &Subgraph::Edge::item);
}

// Reshape(Sum(dy, BroadcastGradientArgs(shapes...):i), shapes[i]) at item `last`.
bool join_unbroadcast(Subgraph& graph, int last, const Readers& readers,
                      const std::vector<int>& regions, HelperNodes& nodes) {
  const Subgraph::Item& reshape = graph.items[at(last)];
  if (!is_op(reshape, "Reshape")) return false;
  const Subgraph::Edge sum_edge = reshape.inputs[0], shape = reshape.inputs[1];
  const Subgraph::Item& sum = graph.items[at(sum_edge.item)];
  if (!is_op(sum, "Sum") || readers.sole(sum_edge) != last) return false;
  if (attr<bool>(sum.node->attrs(), "keep_dims")) return false;
  const Subgraph::Edge axes = sum.inputs[1];
  const Subgraph::Item& args = graph.items[at(axes.item)];
  if (!is_op(args, "BroadcastGradientArgs") || args.inputs[at(axes.output)] != shape) return false;
  if (!stays(graph, regions, last, {sum.inputs[0], shape})) return false;
  const DType type = graph.dtype(sum.inputs[0]), shape_type = graph.dtype(shape);
  if (is_ref(type) || is_ref(shape_type)) return false;
  const Node& near = *reshape.node;
  const Node& node =
      nodes.add("_Unbroadcast", near.name(), {nodes.any(type, near), nodes.any(shape_type, near)},
                {{"T", type}, {"Tshape", shape_type}}, near);
  const int fused[] = {sum_edge.item};
  replace(graph, last, node, {sum.inputs[0], shape}, fused);
  return true;
}

bool sums_nothing(const Subgraph& graph, const Subgraph::Item& item) {
  if (!is_op(item, "Sum") || !item.controls.empty() || is_ref(graph.dtype(item.inputs[0])))
    return false;
  const auto& axes = graph.items[at(item.inputs[1].item)].constant;
  return axes.has_value() && axes->element_count() == 0;
}

// Who read a sum over no axes reads what it sums.
int drop_empty_sums(Subgraph& graph) {
  int changed = 0;
  std::vector<Subgraph::Edge> source(graph.items.size());
  const auto resolve = [&](Subgraph::Edge& edge) {
    while (source[at(edge.item)].item >= 0) edge = source[at(edge.item)];
  };
  for (std::size_t i = 0; i < graph.items.size(); ++i)
    if (sums_nothing(graph, graph.items[i])) {
      source[i] = graph.items[i].inputs[0];
      ++changed;
    }
  if (changed == 0) return 0;
  for (Subgraph::Item& item : graph.items)
    for (Subgraph::Edge& input : item.inputs) resolve(input);
  for (Subgraph::Edge& fetch : graph.fetches) resolve(fetch);
  return changed;
}

int fuse_unbroadcast(Subgraph& graph, HelperNodes& nodes) {
  Subgraph changed = graph;
  const Readers readers(changed);
  const std::vector<int> regions = find_regions(changed);
  int places = 0;
  for (std::size_t i = 0; i < changed.items.size(); ++i)
    places += join_unbroadcast(changed, static_cast<int>(i), readers, regions, nodes) ? 1 : 0;
  places += drop_empty_sums(changed);
  // The shape of the other operand is not asked for any more, and that may have waited for an
  // effect.
  if (places == 0 || count_side_effects(changed) != count_side_effects(graph)) return 0;
  graph = std::move(changed);
  return places;
}

}  // namespace

extern const Rewrite kUnbroadcastRewrite{
    .name = "unbroadcast",
    .doc = "sums over broadcast dimensions become one node, or none",
    .apply = fuse_unbroadcast};

}  // namespace rill
