#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

// var -= lr m / (sqrt(v) + epsilon), as AdamOptimizer builds it for sparse gradients.
struct AdamMoveMatch {
  Edge m, v, lr, epsilon;
  std::vector<int> items;

  bool match(const Pattern& p, int last) {
    const int div = p.only_for(p.input(last, 1), {"RealDiv"});
    const int product = div < 0 ? -1 : p.only_for(p.input(div, 0), {"Mul"});
    const int sum = product < 0 ? -1 : p.only_for(p.input(div, 1), {"Add", "AddV2"});
    if (sum < 0) return false;
    const PartialShape shape = p.shape(p.input(last, 0));
    for (int i = 0; i < 4; ++i) {  // operands stand in either order
      lr = p.input(product, i & 1);
      m = p.input(product, 1 - (i & 1));
      epsilon = p.input(sum, 1 - (i >> 1));
      const int root = p.only_for(p.input(sum, i >> 1), {"Sqrt"});
      if (root < 0) continue;
      v = p.input(root, 0);
      items = {root, product, sum, div};
      if (shape.is_full() && p.shape(m) == shape && p.shape(v) == shape && is_number(p, lr) &&
          is_number(p, epsilon))
        return true;
    }
    return false;
  }

 private:
  static bool is_number(const Pattern& p, Edge edge) {
    return p.shape(edge).has_rank() && p.shape(edge).rank() == 0;
  }
};

int fuse_adam_move(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"AssignSub"})) return 0;
  Pattern p(graph, nodes);
  int places = 0;
  for (int i = 0; i < p.size(); ++i) {
    AdamMoveMatch match;
    if (!p.is(i, "AssignSub") || base_type(graph.dtype(p.input(i, 0))) != DType::f32 ||
        !is_ref(graph.dtype(p.input(i, 0))) || !match.match(p, i))
      continue;
    const Node& near = p.node(i);
    const Output number = nodes.any(DType::f32, near);
    const Node& node = nodes.add_in_place(
        "_AdamMove", {nodes.any(near.input_type(0), near), number, number, number, number},
        {{"T", DType::f32}}, near);
    replace(graph, i, node, {p.input(i, 0), match.m, match.v, match.lr, match.epsilon},
            match.items);
    ++places;
  }
  return places;
}

}  // namespace

extern const Rewrite kAdamMoveRewrite{
    "adam_move", "how Adam moves a variable with sparse gradients becomes _AdamMove",
    fuse_adam_move};

}  // namespace rill
