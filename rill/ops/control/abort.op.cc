#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kAbort{
    .name = "Abort",
    .doc =
        "Ends the step with the error Aborted. TensorFlow ends the process, with "
        "`exit_without_error` as if nothing were wrong; nothing in a graph may do that here.",
    .attrs = {"error_msg: string = ''", "exit_without_error: bool = false"},
    .traits = kRunsForeignCode,
    .grad = no_gradient,
};
static_assert(well_formed(kAbort));

}  // namespace rill
