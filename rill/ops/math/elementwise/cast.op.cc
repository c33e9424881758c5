#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void cast_grad(GradCtx& g) {
  constexpr TypeSet kSmooth = kFloatTypes | kComplexTypes;
  const DType from = base_type(g.input(0).dtype()), to = base_type(g.dy().dtype());
  if (kSmooth.contains(from) && kSmooth.contains(to)) g.set(0, cast(g, g.dy(), from));
}

}  // namespace

extern constexpr OpDecl kCast{
    .name = "Cast",
    .doc =
        "x converted to another type. Floats become integers by rounding towards zero; with "
        "Truncate, floats lose excess bits instead of being rounded. Quantised types are the "
        "integers they hold.",
    .inputs = {"x: SrcT"},
    .outputs = {"y: DstT"},
    .attrs = {"SrcT: type", "DstT: type", "Truncate: bool = false"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = no_flops,
    .grad = cast_grad,
};
static_assert(well_formed(kCast));

extern constexpr OpDecl kHostCast{
    .name = "_HostCast",
    .doc = "Cast in the memory of the host.",
    .inputs = {"x: SrcT"},
    .outputs = {"y: DstT"},
    .attrs = {"SrcT: type", "DstT: type", "Truncate: bool = false"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kHostCast));

}  // namespace rill
