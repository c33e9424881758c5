#include "rill/ops/train/update_shape.h"

namespace rill {
namespace {

// What is known of the shape of the variable behind an argument.
PartialShape state_shape(const ShapeCtx& c, int i) {
  if (c.op().inputs[static_cast<std::size_t>(i)].is_ref) return c.input(i);
  const HandleInfo* handle = c.handle(i);
  return handle == nullptr ? PartialShape() : handle->shape;
}

// The gradient has a row for each index, and rows are the variable's.
void check_sparse_shapes(const ShapeCtx& c, const UpdateArgs& args, const PartialShape& variable) {
  const PartialShape indices = c.vector(args.indices);
  const PartialShape grad = c.with_rank_at_least(args.grad, 1);
  if (!grad.has_rank()) return;
  (void)merge_shapes(indices, PartialShape{grad.dim(0)});
  if (variable.has_rank() && variable.rank() > 0)
    (void)merge_shapes(variable, grad.with_dim(0, kUnknownDim));
}

}  // namespace

UpdateArgs update_args(const Op& op) {
  UpdateArgs args;
  for (int i = 0; i < static_cast<int>(op.inputs.size()); ++i) {
    const Arg& arg = op.inputs[static_cast<std::size_t>(i)];
    if (arg.is_ref || arg.type == DType::resource) {
      ++args.states;
    } else if (arg.name == "grad" || arg.name == "delta") {
      args.grad = i;
    } else if (arg.name == "indices") {
      args.indices = i;
    } else {
      args.scalars.push_back(i);
    }
  }
  return args;
}

std::string_view update_flag(const Op& op) {
  for (const AttrSpec& attr : op.attrs)
    if (attr.kind == AttrKind::kBool && attr.name != "use_locking") return attr.name;
  return {};
}

Shapes update_shape(const ShapeCtx& c) {
  const UpdateArgs args = update_args(c.op());
  PartialShape variable = state_shape(c, 0);
  for (int i = 1; i < args.states; ++i) variable = merge_shapes(variable, state_shape(c, i));
  for (const int i : args.scalars) (void)c.scalar(i);
  if (args.indices >= 0) {
    check_sparse_shapes(c, args, variable);
  } else {
    variable = merge_shapes(variable, c.input(args.grad));
  }
  return c.output_count() == 0 ? Shapes() : Shapes{variable};
}

}  // namespace rill
