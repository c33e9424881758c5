#include "rill/grad/aggregate.h"

#include <algorithm>
#include <array>
#include <map>

#include "rill/base/error.h"
#include "rill/graph/builders.h"

namespace rill {
namespace {

// One AddN per device, each beside its first term, then one of the sums.
Output add_by_device(Scope& scope, std::span<const Output> terms) {
  std::map<std::string, std::vector<Output>> by_device;
  for (const Output& term : terms) by_device[term.node->device()].push_back(term);
  std::vector<Output> sums;
  for (const auto& [device, members] : by_device) {
    Scope beside = scope.without_colocation().colocated_with(*members[0].node);
    sums.push_back(add_n(beside, members));
  }
  return add_n(scope, sums);
}

Output add_as_tree(Scope& scope, std::span<const Output> terms, const Node& node) {
  Scope inner = scope.named(node.name() + "_gradient_sum");
  Output sum = terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i) sum = add_n(inner, std::array{sum, terms[i]});
  return sum;
}

Gradient join_slices(Scope& scope, const std::vector<Gradient>& parts) {
  std::vector<Output> values, indices;
  bool same_index_type = true;
  for (const Gradient& part : parts) {
    values.push_back(part.slices().values);
    indices.push_back(part.slices().indices);
    same_index_type &= indices.back().dtype() == indices.front().dtype();
  }
  if (!same_index_type)
    for (Output& index : indices) index = cast(scope, index, DType::i64);
  return IndexedSlices{concat_rows(scope, values), concat_rows(scope, indices),
                       parts[0].slices().dense_shape};
}

// Rows become dense inside the sum's own name scope.
Output add_with_slices(Scope& scope, const std::vector<Gradient>& parts) {
  std::vector<Input> terms;
  for (const Gradient& part : parts) {
    if (!part.is_slices()) {
      terms.emplace_back(part.dense());
      continue;
    }
    terms.emplace_back(
        Input::MakeOutput([slices = part.slices()](Scope& inner, std::string_view name, DType) {
          return densify(inner, slices, name);
        }));
  }
  return scope.add("AddN", {std::move(terms)}).output();
}

}  // namespace

Gradient aggregate(Scope& scope, const std::vector<Gradient>& parts, Aggregation method,
                   const Node& node) {
  if (parts.empty()) return {};
  if (parts.size() == 1) return parts[0];
  if (std::ranges::all_of(parts, [](const Gradient& g) { return g.is_slices(); }))
    return join_slices(scope, parts);
  if (std::ranges::any_of(parts, [](const Gradient& g) { return g.is_slices(); }))
    return add_with_slices(scope, parts);
  std::vector<Output> terms;
  for (const Gradient& part : parts) terms.push_back(part.dense());
  if (method == Aggregation::kAddN) return add_by_device(scope, terms);
  PartialShape shape;
  for (const Output& term : terms) shape = shape.merged(term.shape());
  if (method == Aggregation::kTree || terms.size() < 3 || !shape.is_full())
    return add_as_tree(scope, terms, node);
  return scope
      .add("AccumulateNV2", {std::vector<Input>(terms.begin(), terms.end())}, {{"shape", shape}})
      .output();
}

void gate_together(Scope& scope, std::vector<Gradient>& gradients) {
  std::vector<Node*> all;
  for (const Gradient& g : gradients)
    if (!g.empty()) all.push_back(g.is_slices() ? g.slices().values.node : g.dense().node);
  if (all.size() < 2) return;
  std::ranges::sort(all, {}, &Node::id);
  all.erase(std::ranges::unique(all).begin(), all.end());
  Scope inner = scope.named("tuple");
  Node* const gate = &group(inner, all);
  const auto after_gate = [&](Output value) {
    Scope beside = inner.with_control({&gate, 1}).colocated_with(*value.node);
    return identity(beside, value, "control_dependency");
  };
  for (Gradient& g : gradients) {
    if (g.empty()) continue;
    if (!g.is_slices()) {
      g = after_gate(g.dense());
    } else {
      IndexedSlices slices = g.slices();
      slices.values = after_gate(slices.values);
      g = slices;
    }
  }
}

GradientFunction gradient_of(const Node& node) {
  const auto wanted = node.attrs().find("_gradient_op_type");
  const std::string& name =
      wanted == node.attrs().end() ? node.op().name : wanted->second.get<std::string>();
  if (const GradientFunction* registered = find_registered_gradient(name)) return *registered;
  const Op& op = wanted == node.attrs().end() ? node.op() : node.graph().registry().at(name);
  if (op.grad == nullptr)
    raise(Code::kNotFound, "No gradient defined for operation '", node.name(),
          "' (op type: ", op.name, ")");
  return op.grad == not_differentiable ? GradientFunction() : GradientFunction(op.grad);
}

}  // namespace rill
