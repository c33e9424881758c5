#include "rill/graph/function_call.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void partitioned_call_grad(GradCtx& g) { symbolic_gradient(g, g.attr<FuncName>("f")); }

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
