#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kAsString{
    .name = "AsString",
    .doc =
        "Each element as text, in the manner of C's printf: `width`, `precision` and the flag "
        "`fill` have its meaning; floats are written as %f, as %e if `scientific` and as %g if "
        "`shortest`.",
    .inputs = {"input: T"},
    .outputs = {"output: string"},
    .attrs = {"T: {int8, int16, int32, int64, complex64, complex128, float, double, bool}",
              "precision: int = -1", "scientific: bool = false", "shortest: bool = false",
              "width: int = -1", "fill: string = ''"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kAsString));

}  // namespace rill
