#include <algorithm>

#include "rill/ops/fusion/rnn_clusters.h"

namespace rill {
namespace {

// A product of matrices of which `transposed` is, and that `reader` alone reads. Updates may wait
// for it: they then wait for what it becomes part of.
bool is_product_for(const Pattern& p, const Users& users, Edge edge, int reader,
                    const char* transposed, const char* straight) {
  const std::vector<int> readers = users.of(edge);
  return p.is(edge.item, "MatMul") && p.graph.dtype(edge) == DType::f32 && readers.size() == 1 &&
         readers[0] == reader && p.node(edge.item).attr<bool>(transposed) &&
         !p.node(edge.item).attr<bool>(straight);
}

Cluster sum_of(const Pattern& p, int last, std::vector<Edge> inputs,
               const std::vector<int>& products) {
  const auto starts = static_cast<std::int64_t>(inputs.size());
  for (const int side : {0, 1})
    for (const int product : products) inputs.push_back(p.input(product, side));
  const auto count = static_cast<std::int64_t>(products.size());
  Cluster sum{.last = last,
              .op = "_ProductSum",
              .inputs = std::move(inputs),
              .attrs = {{"T", DType::f32}, {"S", starts}, {"N", count}},
              .members = products,
              .moves = {}};
  sum.members.push_back(last);
  std::ranges::sort(sum.members);
  return sum;
}

// Weights that several steps use: the sum of what each gives to their gradient.
void find_gradient_sum(const Pattern& p, const Users& users, int sum, std::vector<Cluster>& found) {
  std::vector<int> products;
  for (const Edge& input : p.item(sum).inputs) {
    if (!is_product_for(p, users, input, sum, "transpose_a", "transpose_b")) return;
    products.push_back(input.item);
  }
  if (products.size() >= 2) found.push_back(sum_of(p, sum, {}, products));
}

// The same in a loop: what comes from the iterations before, and grows in place.
void find_growing(const Pattern& p, const Users& users, int sum, std::vector<Cluster>& found) {
  for (int k = 0; k < 2; ++k) {
    const Edge before = p.input(sum, k), product = p.input(sum, 1 - k);
    const PartialShape shape = p.shape(before);
    if (!p.item(before.item).is_plain() || !p.node(before.item).op().has(kSwitch) ||
        !is_product_for(p, users, product, sum, "transpose_a", "transpose_b") || !shape.is_full() ||
        !(shape == p.shape(product)))
      continue;
    found.push_back(sum_of(p, sum, {before}, {product.item}));
    return;
  }
}

int put_together(Pattern& p, std::vector<Cluster> found) {
  if (found.empty()) return 0;
  const CanFuse can_fuse(p.graph);
  std::erase_if(found, [&](const Cluster& cluster) { return !can_fuse(cluster.members); });
  return put_clusters(p, std::move(found));
}

int sum_products(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"MatMul"})) return 0;
  Pattern p(graph, nodes);
  const Users users(graph);
  std::vector<Cluster> found;
  for (int i = 0; i < p.size(); ++i)
    if (p.is(i, "AddN"))
      find_gradient_sum(p, users, i, found);
    else if (p.is(i, {"Add", "AddV2"}))
      find_growing(p, users, i, found);
  return put_together(p, std::move(found));
}

int slice_products(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Slice"})) return 0;
  Pattern p(graph, nodes);
  const Users users(graph);
  std::vector<Cluster> found;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, "Slice") ||
        !is_product_for(p, users, p.input(i, 0), i, "transpose_b", "transpose_a"))
      continue;
    const int product = p.input(i, 0).item;
    const Edge begin = p.input(i, 1), size = p.input(i, 2);
    found.push_back({.last = i,
                     .op = "_MatMulSlice",
                     .inputs = {p.input(product, 0), p.input(product, 1), begin, size},
                     .attrs = {{"T", DType::f32}, {"Index", graph.dtype(begin)}},
                     .members = {std::min(product, i), std::max(product, i)},
                     .moves = {}});
  }
  return put_together(p, std::move(found));
}

}  // namespace

extern const Rewrite kProductSumsRewrite{
    "product_sums", "sums of products that are gradients of the same weights become _ProductSum",
    sum_products};
extern const Rewrite kProductSlicesRewrite{
    "product_slices", "of a product that is cut afterwards only that part is computed",
    slice_products};

}  // namespace rill
