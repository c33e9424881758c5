#include "rill/base/error.h"
#include "rill/graph/grad_ctx.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void eager_py_func_grad(GradCtx& g) {
  raise(Code::kUnimplemented, "the gradient of EagerPyFunc, node '", g.node().name(),
        "': functions are not run eagerly, so nothing records them");
}

}  // namespace

extern constexpr OpDecl kPyFunc{
    .name = "PyFunc",
    .doc = "Calls a function of the program, named by its token, each time it runs.",
    .inputs = {"input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"token: string", "Tin: list(type) >= 0", "Tout: list(type) >= 0"},
    .traits = kStateful | kDataDependentShape,
    .shape = unknown_outputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kPyFunc));

extern constexpr OpDecl kPyFuncStateless{
    .name = "PyFuncStateless",
    .doc = "Calls a function of the program that gives equal results for equal inputs.",
    .inputs = {"input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"token: string", "Tin: list(type) >= 0", "Tout: list(type) >= 0"},
    .traits = kDataDependentShape,
    .shape = unknown_outputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kPyFuncStateless));

extern constexpr OpDecl kEagerPyFunc{
    .name = "EagerPyFunc",
    .doc = "Calls a function of the program that was written for eager values.",
    .inputs = {"input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"token: string", "is_async: bool = false", "Tin: list(type) >= 0",
              "Tout: list(type) >= 0"},
    .traits = kStateful | kDataDependentShape,
    .shape = unknown_outputs,
    .grad = eager_py_func_grad,
};
static_assert(well_formed(kEagerPyFunc));

}  // namespace rill
