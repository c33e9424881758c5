#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/linalg/einsum_equation.h"

namespace rill {
namespace {

Shapes einsum_shape(const ShapeCtx& c) {
  const Equation equation = Equation::parse(c.attr<std::string>("equation"), c.input_count());
  LabelSizes sizes;
  bool is_known = true;  // what the ellipsis of the result stands for
  for (int i = 0; i < c.input_count(); ++i) {
    const Subscripts& subscripts = equation.operands[static_cast<std::size_t>(i)];
    if (c.input(i).has_rank())
      sizes.add(equation.operand_labels(i, c.input(i).rank()), c.input(i));
    else if (subscripts.has_ellipsis)
      is_known = false;
  }
  if (!is_known && equation.result.has_ellipsis) return {PartialShape()};
  PartialShape out = PartialShape::scalar();
  for (const int label : equation.result_labels(sizes.covered())) out.add_dim(sizes.size(label));
  return {out};
}

}  // namespace

extern constexpr OpDecl kEinsum{
    .name = "Einsum",
    .doc =
        "Einstein's summation over one or two tensors: axes are labelled, equal labels run "
        "together, and labels that the result lacks are summed over. Ellipses broadcast.",
    .inputs = {"inputs: N * T"},
    .outputs = {"output: T"},
    .attrs = {"equation: string", "N: int >= 1", "T: type"},
    .traits = kPure,
    .shape = einsum_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kEinsum));

}  // namespace rill
