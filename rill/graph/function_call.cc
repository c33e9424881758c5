#include "rill/graph/function_call.h"

#include "rill/graph/builders.h"
#include "rill/graph/function.h"

namespace rill {

DType gradient_type(Output x) {
  if (base_type(x.dtype()) != DType::resource) return base_type(x.dtype());
  const HandleInfo* handle = x.node->output_handle(x.index);
  return handle == nullptr ? DType::f32 : handle->dtype;
}

Output dy_or_zeros(GradCtx& g, int output) {
  if (!g.arriving(output).empty()) return g.dy(output);
  return zeros_like(g.scope(), g.output(output));
}

void symbolic_gradient(GradCtx& g, const FuncName& function, int first_input) {
  const auto build = g.node().graph().functions()->gradient_builder(function.name);
  if (build && build(g)) return;
  std::vector<Input> inputs;
  std::vector<DType> types;
  for (int i = first_input; i < g.input_count(); ++i) {
    inputs.emplace_back(g.input(i));
    types.push_back(gradient_type(g.input(i)));
  }
  for (int i = 0; i < g.node().output_count(); ++i) inputs.emplace_back(dy_or_zeros(g, i));
  if (types.empty()) return;
  Node& node =
      g.scope().add("SymbolicGradient", {std::move(inputs)}, {{"Tout", types}, {"f", function}});
  for (int i = first_input; i < g.input_count(); ++i) g.set(i, node.output(i - first_input));
}

void call_gradient(GradCtx& g) { symbolic_gradient(g, {g.node().op().name, g.node().attrs()}); }

}  // namespace rill
