#include "rill/grad/split_gradient.h"
#include "rill/graph/function_call.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// In a graph the call is replaced by one that also gives what its gradient needs. What was executed
// is not run again either, if it was called while a tape watched (call_recorded).
void partitioned_call_grad(GradCtx& g) {
  const auto& f = g.attr<FuncName>("f");
  const auto& library = *g.node().graph().functions();
  if (!can_be_replaced(g.node()) || !library.gradient_of(f.name).empty())
    return symbolic_gradient(g, f);
  if (const auto build = library.gradient_builder(f.name); build && build(g)) return;
  const auto split = split_gradient(g.node().graph(), f);
  Node& forward = replace_node(
      g.node(), {}, {{"f", FuncName{.name = split->forward}}, {"Tout", split->forward_types}});
  std::vector<Output> dys, arguments, results;
  for (const int seed : split->seeds) dys.push_back(dy_or_zeros(g, seed));
  for (int i = 0; i < g.input_count(); ++i) arguments.push_back(g.input(i));
  for (int i = 0; i < forward.output_count(); ++i) results.push_back(forward.output(i));
  const auto sent = call_backward(g.scope(), *split, dys, arguments, results);
  for (std::size_t i = 0; i < split->sent.size(); ++i)
    g.set(static_cast<int>(i), sent_gradient(*split, sent, i));
}

// The gradients of the arguments look like the arguments, which come first.
Shapes gradient_shapes(const ShapeCtx& c) {
  require(c.output_count() <= c.input_count(), "there are ", c.output_count(),
          " gradients of only ", c.input_count(), " inputs");
  const auto& types = c.attr<std::vector<DType>>("Tin");
  Shapes shapes;
  for (int i = 0; i < c.output_count(); ++i) {
    const HandleInfo* handle = c.handle(i);
    const bool behind = handle != nullptr && types[static_cast<std::size_t>(i)] == DType::resource;
    shapes.push_back(behind ? handle->shape : c.input(i));
  }
  return shapes;
}

}  // namespace

extern constexpr OpDecl kPartitionedCall{
    .name = "PartitionedCall",
    .doc = "What the function `f` returns; `f` and all that it calls have no effects.",
    .inputs = {"args: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"Tin: list(type) >= 0", "Tout: list(type) >= 0", "f: func", "config: string = ''",
              "config_proto: string = ''", "executor_type: string = ''"},
    .traits = kCall,
    .shape = unknown_outputs,
    .grad = partitioned_call_grad,
};
static_assert(well_formed(kPartitionedCall));

extern constexpr OpDecl kStatefulPartitionedCall{
    .name = "StatefulPartitionedCall",
    .doc = "What the function `f` returns.",
    .inputs = {"args: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"Tin: list(type) >= 0", "Tout: list(type) >= 0", "f: func", "config: string = ''",
              "config_proto: string = ''", "executor_type: string = ''"},
    .traits = kStateful | kCall,
    .shape = unknown_outputs,
    .grad = partitioned_call_grad,
};
static_assert(well_formed(kStatefulPartitionedCall));

extern constexpr OpDecl kRemoteCall{
    .name = "RemoteCall",
    .doc = "What the function `f` returns, run on the device that `target` names.",
    .inputs = {"target: string", "args: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"Tin: list(type) >= 1", "Tout: list(type) >= 1", "f: func"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kRemoteCall));

extern constexpr OpDecl kSymbolicGradient{
    .name = "SymbolicGradient",
    .doc =
        "The gradients of the arguments of `f`, given its arguments and the gradients of its"
        " results.",
    .inputs = {"input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"Tin: list(type) >= 1", "Tout: list(type) >= 1", "f: func"},
    .shape = gradient_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kSymbolicGradient));

}  // namespace rill
