#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kStringToNumber{
    .name = "StringToNumber",
    .doc = "The number that each string writes.",
    .inputs = {"string_tensor: string"},
    .outputs = {"output: out_type"},
    .attrs = {"out_type: {float, double, int32, int64} = DT_FLOAT"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kStringToNumber));

}  // namespace rill
