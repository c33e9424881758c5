#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes reverse_shape(const ShapeCtx& c) {
  const std::int64_t flags = c.vector(1).dim(0);
  require(!c.input(0).has_rank() || compatible(c.input(0).rank(), flags),
          "'dims' must have the same number of values as 'input' has dimensions. 'input' has ",
          c.input(0).rank(), "'dims' has ", flags, " values");
  return {c.input(0)};
}

Shapes reverse_v2_shape(const ShapeCtx& c) {
  (void)c.vector(1);
  std::vector<std::int64_t> axes;
  if (!c.input(0).has_rank() || !c.int_values(1, &axes)) return {c.input(0)};
  const int rank = c.input(0).rank();
  std::vector<bool> seen(static_cast<std::size_t>(rank), false);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    require(axes[i] >= -rank && axes[i] < rank,
            when_run("'axis'[", i, "] = ", axes[i], " is out of valid range [0, ", rank - 1, "]"),
            when_built("'axis'[", i, "] = ", axes[i], " is out of valid range [0, ", rank - 1));
    const auto axis = static_cast<std::size_t>(axes[i] < 0 ? axes[i] + rank : axes[i]);
    require(!seen[axis], "axis ", axis, " specified more than once.");
    seen[axis] = true;
  }
  return {c.input(0)};
}

void reverse_grad(GradCtx& g) { g.set(0, g.add("Reverse", {g.dy(), g.input(1)})); }
void reverse_v2_grad(GradCtx& g) { g.set(0, g.add("ReverseV2", {g.dy(), g.input(1)})); }

}  // namespace

extern constexpr OpDecl kReverse{
    .name = "Reverse",
    .doc = "Turns round the dimensions that `dims` marks.",
    .inputs = {"tensor: T", "dims: bool"},
    .outputs = {"output: T"},
    .attrs = {"T: {uint8, int8, uint16, int16, int32, int64, bool, half, float, double, complex64, "
              "complex128, string}"},
    .traits = kPure,
    .shape = reverse_shape,
    .grad = reverse_grad,
};
static_assert(well_formed(kReverse));

extern constexpr OpDecl kReverseV2{
    .name = "ReverseV2",
    .doc = "Turns round the dimensions that `axis` names.",
    .inputs = {"tensor: T", "axis: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"Tidx: {int32, int64} = DT_INT32",
              "T: {uint8, int8, uint16, int16, int32, int64, bool, bfloat16, half, float, double, "
              "complex64, complex128, string}"},
    .traits = kPure,
    .shape = reverse_v2_shape,
    .grad = reverse_v2_grad,
};
static_assert(well_formed(kReverseV2));

}  // namespace rill
