#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

void while_gradient(GradCtx& g);

namespace {

// Variables keep their shapes unless the attribute says otherwise; handles stay what they are.
Shapes while_shapes(const ShapeCtx& c) {
  const auto& stated = c.attr<std::vector<PartialShape>>("output_shapes");
  require(stated.empty() || stated.size() == static_cast<std::size_t>(c.output_count()),
          "`output_shapes` must be the same length as num outputs (", stated.size(), " vs. ",
          c.output_count(), ")");
  Shapes shapes = stated;
  for (int i = 0; i < c.output_count(); ++i) {
    if (stated.empty()) shapes.push_back(c.input(i));
    if (const HandleInfo* handle = c.handle(i)) c.set_output_handle(i, *handle);
  }
  return shapes;
}

Shapes for_shapes(const ShapeCtx& c) {
  for (int i = 0; i < 3; ++i) c.scalar(i);
  return unknown_outputs(c);
}

}  // namespace

extern constexpr OpDecl kWhileOp{
    .name = "While",
    .doc = "Replaces its variables by what `body` makes of them as long as `cond` holds for them.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: list(type) >= 0", "cond: func", "body: func", "output_shapes: list(shape) = []",
              "parallel_iterations: int = 10"},
    .traits = kStateful,
    .shape = while_shapes,
    .grad = while_gradient,
};
static_assert(well_formed(kWhileOp));

extern constexpr OpDecl kStatelessWhile{
    .name = "StatelessWhile",
    .doc = "While, whose functions have no effects.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: list(type) >= 0", "cond: func", "body: func", "output_shapes: list(shape) = []",
              "parallel_iterations: int = 10"},
    .shape = while_shapes,
    .grad = while_gradient,
};
static_assert(well_formed(kStatelessWhile));

extern constexpr OpDecl kInternalWhile{
    .name = "_While",
    .doc = "The older form of While.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: list(type) >= 0", "cond: func", "body: func"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kInternalWhile));

extern constexpr OpDecl kFor{
    .name = "For",
    .doc = "Replaces its variables by body(i, variables) for i from `start` to `limit` by `delta`.",
    .inputs = {"start: int32", "limit: int32", "delta: int32", "input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: list(type) >= 0", "body: func"},
    .shape = for_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kFor));

}  // namespace rill
