#include "rill/base/error.h"
#include "rill/graph/grad_ctx.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/script/gradient_token.h"

namespace rill {
namespace {

// The gradient is that of the latest call, so it waits for the call of this step even where no
// value makes it.
void eager_py_func_grad(GradCtx& g) {
  const std::string& token = g.attr<std::string>("token");
  if (is_gradient_token(token))
    raise(Code::kUnimplemented, "the second derivative of EagerPyFunc, node '", g.node().name(),
          "'");
  std::vector<Input> dys;
  for (int i = 0; i < g.node().output_count(); ++i) {
    const bool none = g.arriving(i).empty();  // of a type without gradients
    dys.emplace_back(none ? g.add("ZerosLike", {g.output(i)}) : g.dy(i));
  }
  Node* const call = &g.node();
  Scope scope = g.scope().with_control({&call, 1});
  Node& gradient =
      scope.add("EagerPyFunc", {InputArg(std::move(dys))},
                {{"token", gradient_token(token)}, {"Tout", g.attr<std::vector<DType>>("Tin")}});
  for (int i = 0; i < g.input_count(); ++i) g.set(i, gradient.output(i));
}

}  // namespace

extern constexpr OpDecl kPyFunc{
    .name = "PyFunc",
    .doc = "Calls a function of the program, named by its token, each time it runs.",
    .inputs = {"input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"token: string", "Tin: list(type) >= 0", "Tout: list(type) >= 0"},
    .traits = kStateful | kDataDependentShape | kRunsForeignCode,
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
    .traits = kDataDependentShape | kRunsForeignCode,
    .shape = unknown_outputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kPyFuncStateless));

extern constexpr OpDecl kEagerPyFunc{
    .name = "EagerPyFunc",
    .doc = "Calls a function of the program that computes with ops, each run at once.",
    .inputs = {"input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"token: string", "is_async: bool = false", "Tin: list(type) >= 0",
              "Tout: list(type) >= 0"},
    .traits = kStateful | kDataDependentShape | kRunsForeignCode,
    .shape = unknown_outputs,
    .grad = eager_py_func_grad,
};
static_assert(well_formed(kEagerPyFunc));

}  // namespace rill
