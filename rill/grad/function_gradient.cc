#include "rill/grad/function_gradient.h"

#include "rill/base/error.h"
#include "rill/grad/gradients.h"
#include "rill/graph/builders.h"
#include "rill/graph/function_call.h"

namespace rill {
namespace {

Output zeros_for(Scope& scope, Output x) {
  if (base_type(x.dtype()) != DType::resource) return zeros_like(scope, x);
  return zeros_like(scope,
                    scope.add("ReadVariableOp", {x}, {{"dtype", gradient_type(x)}}).output());
}

Output as_tensor(Scope& scope, const Gradient& gradient, Output x) {
  if (gradient.empty()) return zeros_for(scope, x);
  return gradient.is_slices() ? densify(scope, gradient.slices()) : gradient.dense();
}

}  // namespace

FunctionBody gradient_body(FunctionBody function) {
  FunctionBody body{.args = function.args, .dropped = function.dropped};
  body.dropped.insert(body.dropped.end(), function.returns.begin(), function.returns.end());
  Scope scope(*function.graph);
  const std::vector<Output> xs = function.arg_outputs();
  std::vector<Output> ys;
  GradientOptions options;
  for (const Node* result : function.returns) {
    const int index = static_cast<int>(body.args.size());
    Node& dy =
        scope.add("_Arg", {}, {{"T", base_type(result->input_type(0))}, {"index", index}}, "dy");
    body.args.push_back(&dy);
    // A handle that is handed on is no result of its own: what changes with it, its readers tell.
    const DType type = base_type(result->input_type(0));
    if (type == DType::resource || !is_differentiable(type)) continue;
    ys.push_back(result->input(0));
    options.grad_ys.emplace_back(dy.output());
  }
  const std::vector<Gradient> gradients = rill::gradients(scope, ys, xs, options);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const Output gradient = as_tensor(scope, gradients[i], xs[i]);
    body.returns.push_back(
        &scope.add("_Retval", {gradient}, {{"index", static_cast<int>(i)}}, "dx"));
  }
  body.graph = std::move(function.graph);
  return body;
}

}  // namespace rill
