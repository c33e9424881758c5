#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// The condition has the shape of the branches, or is a scalar, or a vector that chooses rows.
Shapes select_shape(const ShapeCtx& c) {
  const PartialShape& condition = c.input(0);
  const auto same = [&](int i, int j) {
    require(c.input(i).is_compatible(c.input(j)),
            "Inputs to operation Select of type Select must have the same size and shape.  Input ",
            i, ": ", c.input(i), " != input ", j, ": ", c.input(j),
            "; Dimension 0 in both shapes must be equal, or Shapes must be equal rank");
  };
  same(1, 2);
  const PartialShape output = c.input(1).merged(c.input(2));
  if (!condition.has_rank() || condition.rank() == 0 || !output.has_rank()) return {output};
  if (condition.rank() == 1 && output.rank() != 1) {
    require(output.rank() > 0, "'then' must be at least a vector, but saw shape: ", output);
    require(compatible(condition.dim(0), output.dim(0)),
            "Number of batches of 'then' must match size of 'cond', but saw: ", output.dim(0),
            " vs. ", condition.dim(0));
    return {output};
  }
  same(0, 1);
  same(0, 2);
  return {output.merged(condition)};
}

Shapes select_v2_shape(const ShapeCtx& c) {
  return {broadcast(c.input(0), broadcast(c.input(1), c.input(2)))};
}

}  // namespace

extern constexpr OpDecl kSelect{
    .name = "Select",
    .doc =
        "Elements of t where the condition holds and of e elsewhere; a vector condition chooses "
        "whole rows.",
    .inputs = {"condition: bool", "t: T", "e: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure | kElementwise,
    .shape = select_shape,
};
static_assert(well_formed(kSelect));

extern constexpr OpDecl kSelectV2{
    .name = "SelectV2",
    .doc = "Elements of t where the condition holds and of e elsewhere, with broadcasting.",
    .inputs = {"condition: bool", "t: T", "e: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type"},
    .traits = kPure | kElementwise,
    .shape = select_v2_shape,
};
static_assert(well_formed(kSelectV2));

}  // namespace rill
