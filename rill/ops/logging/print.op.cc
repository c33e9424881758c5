#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void print_grad(GradCtx& g) { g.set(0, g.arriving(0)); }

}  // namespace

extern constexpr OpDecl kAssert{
    .name = "Assert",
    .doc = "Ends the step with an error that shows `data` unless `condition` holds.",
    .inputs = {"condition: bool", "data: T"},
    .attrs = {"T: list(type) >= 1", "summarize: int = 3"},
    .traits = kStateful | kNoAccess | kRepeatable | kNoLastingEffect,
    .grad = not_differentiable,
};
static_assert(well_formed(kAssert));

extern constexpr OpDecl kPrint{
    .name = "Print",
    .doc = "Its input; writes `message` and `data` to standard error as it passes.",
    .inputs = {"input: T", "data: U"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "U: list(type) >= 0", "message: string = ''", "first_n: int = -1",
              "summarize: int = 3"},
    .traits = kStateful | kForwards | kNoAccess | kNoLastingEffect,
    .shape = same_as_input,
    .grad = print_grad,
};
static_assert(well_formed(kPrint));

extern constexpr OpDecl kPrintV2{
    .name = "PrintV2",
    .doc = "Writes a string to a stream, the log or a file.",
    .inputs = {"input: string"},
    .attrs = {"output_stream: string = 'stderr'", "end: string = '\n'"},
    .traits = kStateful | kWritesFiles | kNoLastingEffect,
    .grad = no_gradient,
};
static_assert(well_formed(kPrintV2));

extern constexpr OpDecl kTimestamp{
    .name = "Timestamp",
    .doc = "The seconds since the Unix epoch when this runs.",
    .outputs = {"ts: double"},
    .traits = kStateful | kNoAccess,
    .shape = scalar_output,
    .grad = not_differentiable,
};
static_assert(well_formed(kTimestamp));

}  // namespace rill
