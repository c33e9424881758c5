#include <algorithm>

#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

using Edge = Subgraph::Edge;

// transpose(a) b, which only one item reads.
bool is_weight_gradient(const Pattern& p, Edge edge) {
  const int i = p.only_for(edge, {"MatMul"});
  return i >= 0 && p.graph.dtype(edge) == DType::f32 && p.node(i).attr<bool>("transpose_a") &&
         !p.node(i).attr<bool>("transpose_b");
}

void put_sum(Pattern& p, int last, std::vector<Edge> inputs, const std::vector<int>& products) {
  const auto starts = static_cast<std::int64_t>(inputs.size());
  for (const int side : {0, 1})
    for (const int product : products) inputs.push_back(p.input(product, side));
  const auto count = static_cast<std::int64_t>(products.size());
  p.put(last, "_ProductSum", std::move(inputs), {{"T", DType::f32}, {"S", starts}, {"N", count}},
        products);
}

// Weights that several steps use: the sum of what each gives to their gradient.
bool join_sum(Pattern& p, int sum) {
  std::vector<int> products;
  for (const Edge& input : p.item(sum).inputs) {
    if (!is_weight_gradient(p, input)) return false;
    products.push_back(input.item);
  }
  if (products.size() < 2) return false;
  put_sum(p, sum, {}, products);
  return true;
}

// The same in a loop: what comes from the rounds before, and grows in place.
bool join_growing(Pattern& p, int sum) {
  for (int k = 0; k < 2; ++k) {
    const Edge before = p.input(sum, k), product = p.input(sum, 1 - k);
    const PartialShape shape = p.shape(before);
    if (!p.item(before.item).is_plain() || !p.node(before.item).op().has(kSwitch) ||
        !is_weight_gradient(p, product) || !shape.is_full() || !(shape == p.shape(product)))
      continue;
    put_sum(p, sum, {before}, {product.item});
    return true;
  }
  return false;
}

int sum_products(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"MatMul"})) return 0;
  Pattern p(graph, nodes);
  int places = 0;
  for (int i = 0; i < p.size(); ++i)
    if (p.is(i, "AddN"))
      places += join_sum(p, i) ? 1 : 0;
    else if (p.is(i, {"Add", "AddV2"}))
      places += join_growing(p, i) ? 1 : 0;
  return places;
}

int slice_products(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Slice"})) return 0;
  Pattern p(graph, nodes);
  int places = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, "Slice")) continue;
    const int product = p.only_for(p.input(i, 0), {"MatMul"});
    if (product < 0 || graph.dtype({i, 0}) != DType::f32 ||
        p.node(product).attr<bool>("transpose_a") || !p.node(product).attr<bool>("transpose_b"))
      continue;
    const Edge begin = p.input(i, 1), size = p.input(i, 2);
    const int swallowed[] = {product};
    p.put(i, "_MatMulSlice", {p.input(product, 0), p.input(product, 1), begin, size},
          {{"T", DType::f32}, {"Index", graph.dtype(begin)}}, swallowed);
    ++places;
  }
  return places;
}

}  // namespace

extern const Rewrite kSumProducts{
    "product_sums", "sums of products that are gradients of the same weights become _ProductSum",
    sum_products};
extern const Rewrite kSliceProducts{
    "product_slices", "of a product that is cut afterwards only that part is computed",
    slice_products};

}  // namespace rill
