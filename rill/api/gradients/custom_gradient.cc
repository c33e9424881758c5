#include "rill/api/gradients/custom_gradient.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <unordered_set>

#include "rill/api/core/made_here.h"
#include "rill/base/error.h"
#include "rill/grad/gradient_registry.h"
#include "rill/graph/builders.h"
#include "rill/graph/traced_functions.h"

namespace rill {
namespace {

std::string next_name() {
  static std::atomic<int> count{0};
  return str_cat("CustomGradient-", ++count);
}

// The function that the gradients of the IdentityN node with the results come from. Its inputs are
// the results, the arguments and the variables; only the latter two have gradients.
GradientFunction gradient_of(
    std::size_t result_count,
    std::function<std::vector<Gradient>(const std::vector<Gradient>&)> grad) {
  return [result_count, grad = std::move(grad)](GradCtx& g) {
    std::vector<Gradient> arriving;
    for (std::size_t i = 0; i < result_count; ++i)
      arriving.push_back(g.arriving(static_cast<int>(i)));
    std::optional<AsDefault> as_default;
    if (&current_scope().graph() != &g.scope().graph()) {
      const auto body = shared_body(g.scope().graph());
      require(body != nullptr,
              "the gradient of a function with a gradient of its own is built in the default "
              "graph or in a function");
      as_default.emplace(body);
    }
    const Inside inside(g.scope());
    const std::vector<Gradient> leaving = grad(arriving);
    const std::size_t wanted = static_cast<std::size_t>(g.input_count()) - result_count;
    require(leaving.size() == wanted, "custom_gradient function expected to return ", wanted,
            " gradients, but returned ", leaving.size(), " instead.");
    for (std::size_t i = 0; i < wanted; ++i) g.set(static_cast<int>(result_count + i), leaving[i]);
  };
}

// Whether gradients pass through the node: what is read only to decide or to index does not count.
bool has_gradient(const Node& node) {
  if (node.attrs().contains("_gradient_op_type")) return true;
  if (const GradientFunction* registered = find_registered_gradient(node.op().name))
    return *registered != nullptr;
  return node.op().grad != nullptr && node.op().grad != not_differentiable;
}

bool holds_variable(Node& node) {
  if (node.output_count() != 1 || node.input_count() != 0) return false;
  return node.output_type(0) == DType::resource || is_ref(node.output_type(0));
}

}  // namespace

std::vector<Output> attach_gradient(const WithGradient& computed, const std::vector<Output>& args) {
  Scope& scope = current_scope();
  std::vector<Input> all(computed.results.begin(), computed.results.end());
  for (const Output& result : computed.results) identity(scope, result);
  all.insert(all.end(), args.begin(), args.end());
  for (const Variable& variable : computed.variables) {
    require_type(variable.is_resource(),
                 "All variables used by `f` in @custom_gradient must be `ResourceVariable`s. "
                 "Ensure that no `variable_scope` is created with `use_resource=False`.");
    all.emplace_back(variable.handle());
  }
  const std::string name = next_name();
  register_gradient(name, gradient_of(computed.results.size(), computed.grad));
  Node& node = scope.add("IdentityN", {all}, {{"_gradient_op_type", name}});
  std::vector<Output> results;
  for (std::size_t i = 0; i < computed.results.size(); ++i)
    results.push_back(node.output(static_cast<int>(i)));
  return results;
}

std::vector<Output> custom_gradient(
    const std::function<WithGradient(const std::vector<Output>& args)>& f, const Inputs& args,
    std::source_location at) {
  const MadeHere made(at);
  std::vector<Output> tensors;
  for (const Input& arg : args) tensors.push_back(as_tensor(arg));
  return attach_gradient(f(tensors), tensors);
}

std::vector<Variable> variables_between(const std::vector<Output>& args,
                                        const std::vector<Output>& results) {
  std::unordered_set<const Node*> seen;
  for (const Output& arg : args) seen.insert(arg.node);
  std::vector<Node*> waiting;
  for (const Output& result : results) waiting.push_back(result.node);
  std::vector<Variable> found;
  while (!waiting.empty()) {
    Node* const node = waiting.back();
    waiting.pop_back();
    if (!seen.insert(node).second) continue;
    if (holds_variable(*node))
      if (Variable variable = find_variable(node->output())) found.push_back(std::move(variable));
    if (!has_gradient(*node)) continue;
    for (const Output& input : node->inputs()) waiting.push_back(input.node);
  }
  std::ranges::sort(found, {}, [](const Variable& v) { return v.op().id(); });
  return found;
}

}  // namespace rill
