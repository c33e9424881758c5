#include "rill/ops/fusion/pattern.h"

#include <algorithm>

namespace rill {

bool Pattern::is(int i, std::initializer_list<const char*> ops) const {
  return std::ranges::any_of(ops, [&](const char* op) { return is(i, op); });
}

bool Pattern::occurs(const Subgraph& graph, std::initializer_list<std::string_view> ops) {
  return std::ranges::any_of(graph.items, [&](const Item& item) {
    return item.is_plain() && std::ranges::find(ops, item.node->op().name) != ops.end();
  });
}

int Pattern::only_for(Edge edge, std::initializer_list<const char*> ops) const {
  return is(edge.item, ops) && readers.sole(edge) >= 0 ? edge.item : -1;
}

bool Pattern::scalar(Edge edge, double* value) const {
  const auto& constant = item(edge.item).constant;
  if (!constant || constant->element_count() != 1) return false;
  switch (constant->dtype()) {
    case DType::f32:
      *value = static_cast<double>(constant->data<float>()[0]);
      return true;
    case DType::f64:
      *value = constant->data<double>()[0];
      return true;
    case DType::f16:
      *value = static_cast<double>(static_cast<float>(constant->data<half>()[0]));
      return true;
    default:
      return false;
  }
}

bool Pattern::is_vector_for(Edge edge, const PartialShape& values) const {
  const PartialShape vector = shape(edge);
  return vector.has_rank() && vector.rank() == 1 && values.has_rank() && values.rank() > 0 &&
         vector.dim(0) >= 0 && vector.dim(0) == values.dim(values.rank() - 1);
}

const Node& Pattern::add(int at, std::string op, std::span<const Edge> inputs, AttrMap attrs) {
  const auto& parts = item(at).replaced;
  const Node& near = parts == nullptr ? node(at) : *parts->back().node;
  std::vector<Output> types;
  for (const Edge& edge : inputs) types.push_back(nodes.any(base_type(graph.dtype(edge)), near));
  return nodes.add_in_place(std::move(op), std::move(types), std::move(attrs), near);
}

void Pattern::put(int last, std::string op, std::vector<Edge> inputs, AttrMap attrs,
                  std::span<const int> fused) {
  const Node& made = add(last, std::move(op), inputs, std::move(attrs));
  replace(graph, last, made, std::move(inputs), fused);
  for (const int i : fused) gone_[static_cast<std::size_t>(i)] = true;
}

void Pattern::put_first(int first, std::string op, std::vector<Edge> inputs, AttrMap attrs,
                        std::span<const int> later) {
  const Node& made = add(first, std::move(op), inputs, std::move(attrs));
  absorb(graph, first, made, std::move(inputs), later);
  for (const int i : later) gone_[static_cast<std::size_t>(i)] = true;
}

}  // namespace rill
