#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

void if_gradient(GradCtx& g);
void case_gradient(GradCtx& g);

namespace {

// What the attribute says, or nothing.
Shapes stated_shapes(const ShapeCtx& c) {
  const auto& stated = c.attr<std::vector<PartialShape>>("output_shapes");
  if (stated.empty()) return unknown_outputs(c);
  require(stated.size() == static_cast<std::size_t>(c.output_count()), "`output_shapes` must be ",
          "the same length as num outputs (", stated.size(), " vs. ", c.output_count(), ")");
  return stated;
}

Shapes case_shapes(const ShapeCtx& c) {
  c.scalar(0);
  return stated_shapes(c);
}

}  // namespace

extern constexpr OpDecl kIfOp{
    .name = "If",
    .doc = "What `then_branch` returns if `cond` is true, else what `else_branch` returns.",
    .inputs = {"cond: Tcond", "input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"Tcond: type", "Tin: list(type) >= 0", "Tout: list(type) >= 0", "then_branch: func",
              "else_branch: func", "output_shapes: list(shape) = []"},
    .traits = kStateful,
    .shape = stated_shapes,
    .grad = if_gradient,
};
static_assert(well_formed(kIfOp));

extern constexpr OpDecl kStatelessIf{
    .name = "StatelessIf",
    .doc = "If, whose branches have no effects.",
    .inputs = {"cond: Tcond", "input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"Tcond: type", "Tin: list(type) >= 0", "Tout: list(type) >= 0", "then_branch: func",
              "else_branch: func", "output_shapes: list(shape) = []"},
    .shape = stated_shapes,
    .grad = if_gradient,
};
static_assert(well_formed(kStatelessIf));

extern constexpr OpDecl kInternalIf{
    .name = "_If",
    .doc = "The older form of If.",
    .inputs = {"cond: Tcond", "input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"Tcond: type", "Tin: list(type) >= 1", "Tout: list(type) >= 1", "then_branch: func",
              "else_branch: func"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kInternalIf));

extern constexpr OpDecl kCase{
    .name = "Case",
    .doc = "What the branch at `branch_index` returns; the last one if there is none such.",
    .inputs = {"branch_index: int32", "input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"Tin: list(type) >= 0", "Tout: list(type) >= 0", "branches: list(func) >= 1",
              "output_shapes: list(shape) = []"},
    .traits = kStateful,
    .shape = case_shapes,
    .grad = case_gradient,
};
static_assert(well_formed(kCase));

extern constexpr OpDecl kStatelessCase{
    .name = "StatelessCase",
    .doc = "Case, whose branches have no effects.",
    .inputs = {"branch_index: int32", "input: Tin"},
    .outputs = {"output: Tout"},
    .attrs = {"Tin: list(type) >= 0", "Tout: list(type) >= 0", "branches: list(func) >= 1",
              "output_shapes: list(shape) = []"},
    .shape = case_shapes,
    .grad = case_gradient,
};
static_assert(well_formed(kStatelessCase));

}  // namespace rill
