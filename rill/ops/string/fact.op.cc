#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kFact{
    .name = "Fact",
    .doc = "A true statement about factorials: TensorFlow's example of an op of one's own.",
    .outputs = {"fact: string"},
    .traits = kPure,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kFact));

}  // namespace rill
