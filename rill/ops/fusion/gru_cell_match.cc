#include "rill/ops/fusion/gru_cell_match.h"

#include <algorithm>

namespace rill {

bool GruMatch::match(int sum) {
  sum_ = sum;
  if (!p_.is(sum, {"Add", "AddV2"}) || p_.graph.dtype({sum, 0}) != DType::f32) return false;
  for (int k = 0; k < 2; ++k)
    if (is_added(p_.input(sum, k)) && is_kept(p_.input(sum, 1 - k)) && find_products()) return true;
  return false;
}

// (1 - update) * candidate.
bool GruMatch::is_added(Edge edge) {
  if (!p_.is(edge.item, "Mul")) return false;
  for (int k = 0; k < 2; ++k) {
    const Edge rest = p_.input(edge.item, k), made = p_.input(edge.item, 1 - k);
    double one = 0;
    if (!p_.is(rest.item, "Sub") || !p_.is(made.item, "Tanh") ||
        !p_.scalar(p_.input(rest.item, 0), &one) || one != 1 ||
        p_.shape(p_.input(rest.item, 0)).rank() > 2)
      continue;
    const Edge gate = p_.input(rest.item, 1);
    if (!p_.is(gate.item, "Split") || gate.output != 1) continue;
    added = edge.item;
    open = rest.item;
    tanh = made.item;
    split = gate.item;
    return true;
  }
  return false;
}

bool GruMatch::is_kept(Edge edge) {
  if (!p_.is(edge.item, "Mul") ||
      (!(p_.input(edge.item, 0) == update()) && !(p_.input(edge.item, 1) == update())))
    return false;
  kept = edge.item;
  h = p_.other(kept, update());
  return true;
}

// The two matrices that a product reads side by side.
bool GruMatch::join_of(CellProduct& product, Edge* first, Edge* second, int* concat) const {
  *concat = p_.input(product.members.back(), 0).item;
  if (product.parts.size() == 2) {
    *concat = product.members.back();
    product.members.pop_back();
  } else if (product.parts.size() != 1 || !(product.parts[0] == Edge{*concat, 0}) ||
             !p_.is(*concat, "ConcatV2") || p_.item(*concat).inputs.size() != 3 ||
             !is_column_axis(p_, p_.item(*concat).inputs.back())) {
    return false;
  }
  *first = p_.input(*concat, 0);
  *second = p_.input(*concat, 1);
  return true;
}

bool GruMatch::find_products() {
  if (p_.node(split).attr<std::int64_t>("num_split") != 2 ||
      !is_column_axis(p_, p_.input(split, 0)))
    return false;
  squash = p_.input(split, 1).item;
  if (!p_.is(squash, "Sigmoid")) return false;
  auto of_gates = product_before(p_, users_, p_.input(squash, 0), squash);
  auto of_candidate = product_before(p_, users_, p_.input(tanh, 0), tanh);
  if (!of_gates || !of_candidate) return false;
  gates = *std::move(of_gates);
  candidate = *std::move(of_candidate);
  int concat = -1;
  Edge state, same_x, through;
  if (!join_of(gates, &x, &state, &concat) || !(state == h) ||
      !join_of(candidate, &same_x, &through, &candidate_in) || !(same_x == x))
    return false;
  joined = {concat, 0};
  let_through = through.item;
  if (!p_.is(let_through, "Mul") || !(product_of(p_, users_, reset(), h) == let_through))
    return false;
  members = {split, squash, let_through, candidate_in, tanh, open, kept, added};
  for (const CellProduct* product : {&gates, &candidate})
    members.insert(members.end(), product->members.begin(), product->members.end());
  const PartialShape shape = p_.shape(h);
  const auto is_own = [&](Edge edge) {
    return edge.item == sum_ || std::ranges::find(members, edge.item) != members.end();
  };
  return shape.has_rank() && shape.rank() == 2 && shape.dim(1) > 0 &&
         has_columns(gates.weights, 2 * shape.dim(1)) &&
         has_columns(candidate.weights, shape.dim(1)) && !is_own(x) && !is_own(h) &&
         !is_own(joined) && !is_own(gates.weights) && !is_own(gates.bias) &&
         !is_own(candidate.weights) && !is_own(candidate.bias);
}

bool GruMatch::has_columns(Edge weights, std::int64_t columns) const {
  const PartialShape shape = p_.shape(weights);
  return shape.has_rank() && shape.rank() == 2 && shape.dim(1) == columns;
}

bool GruMatch::is_like_h(Edge edge) const {
  const int items[] = {let_through, tanh, open, kept, added, sum_};
  return edge == h || edge.item == split ||
         (edge.output == 0 && std::ranges::find(items, edge.item) != std::end(items));
}

}  // namespace rill
