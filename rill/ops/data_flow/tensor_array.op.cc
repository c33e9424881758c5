#include "rill/base/error.h"
#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/tensor_array_builder.h"
#include "rill/ops/data_flow/older_array.h"
#include "rill/ops/data_flow/tensor_array_shapes.h"

namespace rill {
namespace {

// Shapes after the first dimension.
PartialShape without_first(const PartialShape& shape) {
  if (!shape.has_rank() || shape.rank() == 0) return {};
  return PartialShape(shape.dims().subspan(1));
}

PartialShape behind(PartialShape front, const PartialShape& back) {
  if (!front.has_rank() || !back.has_rank()) return {};
  for (const std::int64_t dim : back.dims()) front.add_dim(dim);
  return front;
}

Shapes array_shape(const ShapeCtx& c) {
  c.scalar(0);
  const auto& element = c.attr<PartialShape>("element_shape");
  if (element.is_full() || c.flag("identical_element_shapes"))
    c.set_output_handle(0, {c.attr<DType>("dtype"), element});
  return {string_handle_shape(), PartialShape::scalar()};
}

Shapes array_grad_shape(const ShapeCtx& c) {
  check_array_inputs(c, {1});
  if (const HandleInfo* info = c.handle(0)) c.set_output_handle(0, *info);
  return {string_handle_shape(), PartialShape::scalar()};
}

// Only how many dimensions are put in front is told, not which.
Shapes grad_with_shape_shape(const ShapeCtx& c) {
  check_array_inputs(c, {1});
  const PartialShape front = c.vector(2);
  if (const HandleInfo* info = c.handle(0)) {
    const bool known = front[0] >= 0 && front[0] <= kMaxRank && info->shape.has_rank();
    c.set_output_handle(
        0,
        {info->dtype, known ? behind(PartialShape::of_rank(static_cast<int>(front[0])), info->shape)
                            : PartialShape()});
  }
  return {string_handle_shape(), PartialShape::scalar()};
}

Shapes array_write_shape(const ShapeCtx& c) {
  check_array_inputs(c, {1, 3});
  if (const HandleInfo* info = c.handle(0)) merge_shapes(info->shape, c.input(2));
  return {PartialShape::scalar()};
}

Shapes array_read_shape(const ShapeCtx& c) {
  check_array_inputs(c, {1, 2});
  const HandleInfo* info = c.handle(0);
  return {info == nullptr ? PartialShape() : info->shape};
}

Shapes array_gather_shape(const ShapeCtx& c) {
  check_array_inputs(c, {2});
  const HandleInfo* info = c.handle(0);
  const PartialShape indices = c.vector(1);
  return {behind(indices, info == nullptr ? c.attr<PartialShape>("element_shape") : info->shape)};
}

Shapes array_scatter_shape(const ShapeCtx& c) {
  check_array_inputs(c, {3});
  c.vector(1);
  if (const HandleInfo* info = c.handle(0)) merge_shapes(info->shape, without_first(c.input(2)));
  return {PartialShape::scalar()};
}

// --- gradients: an array has another one beside it for the gradients of its elements ------------

TensorArrayBuilder grad_array(GradCtx& g, DType dtype, Output flow, Output gradient) {
  const TensorArrayOptions options{.colocate_with_first_write_call = false};
  const TensorArrayBuilder array(g.scope(), dtype, g.input(0), flow, options);
  return array.grad(g.scope(), gradient_source(gradient), flow);
}

// For ops that read: what arrives is written. `flow` is the input that orders the read.
TensorArrayBuilder grad_of_read(GradCtx& g, int flow) {
  return grad_array(g, g.attr<DType>("dtype"), g.input(flow), g.dy());
}

// For ops that write: what arrives is a flow; the gradients' array is looked up after the write.
struct Undone {
  TensorArrayBuilder array;
  Output flow;
};
Undone grad_of_write(GradCtx& g) {
  const Output arrived = g.dy();
  Node* const written = identity(g.scope(), g.output(), "flow_out").node;
  Scope after = g.scope().with_control({&written, 1});
  const Output flow = identity(after, arrived, "write_barrier");
  const TensorArrayOptions options{.colocate_with_first_write_call = false};
  const TensorArrayBuilder array(g.scope(), g.attr<DType>("T"), g.input(0), flow, options);
  return {array.grad(g.scope(), gradient_source(arrived), flow), flow};
}

void read_grad(GradCtx& g) {
  g.set(2, grad_of_read(g, 2).write(g.scope(), g.input(1), g.dy()).flow());
}

void gather_grad(GradCtx& g) {
  g.set(2, grad_of_read(g, 2).scatter(g.scope(), g.input(1), g.dy()).flow());
}

void concat_grad(GradCtx& g) {
  g.set(1, grad_of_read(g, 1).split(g.scope(), g.dy(), g.output(1)).flow());
}

void write_grad(GradCtx& g) {
  const Undone undone = grad_of_write(g);
  g.set(2, undone.array.read(g.scope(), g.input(1)));
  g.set(3, undone.flow);
}

void scatter_grad(GradCtx& g) {
  const Undone undone = grad_of_write(g);
  g.set(2, undone.array.gather(g.scope(), g.input(1)));
  g.set(3, undone.flow);
}

void split_grad(GradCtx& g) {
  const Undone undone = grad_of_write(g);
  g.set(1, undone.array.concat(g.scope()));
  g.set(3, undone.flow);
}

}  // namespace

extern constexpr OpDecl kTensorArrayV3{
    .name = "TensorArrayV3",
    .doc = "A list of `size` tensors that this step writes and reads by position.",
    .inputs = {"size: int32"},
    .outputs = {"handle: resource", "flow: float"},
    .attrs = {"dtype: type", "element_shape: shape = { unknown_rank: true }",
              "dynamic_size: bool = false", "clear_after_read: bool = true",
              "identical_element_shapes: bool = false", "tensor_array_name: string = ''"},
    .traits = kStateful | kNoLastingEffect,
    .shape = array_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorArrayV3));

extern constexpr OpDecl kTensorArrayGradV3{
    .name = "TensorArrayGradV3",
    .doc = "The array that sums the gradients of an array's elements, one per `source`.",
    .inputs = {"handle: resource", "flow_in: float"},
    .outputs = {"grad_handle: resource", "flow_out: float"},
    .attrs = {"source: string"},
    .traits = kStateful,
    .shape = array_grad_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorArrayGradV3));

extern constexpr OpDecl kTensorArrayGradWithShape{
    .name = "TensorArrayGradWithShape",
    .doc = "TensorArrayGradV3 whose elements have further dimensions in front.",
    .inputs = {"handle: resource", "flow_in: float", "shape_to_prepend: int32"},
    .outputs = {"grad_handle: resource", "flow_out: float"},
    .attrs = {"source: string"},
    .traits = kStateful,
    .shape = grad_with_shape_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorArrayGradWithShape));

extern constexpr OpDecl kTensorArrayWriteV3{
    .name = "TensorArrayWriteV3",
    .doc = "Writes one element; what must come later waits for `flow_out`.",
    .inputs = {"handle: resource", "index: int32", "value: T", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .traits = kStateful,
    .shape = array_write_shape,
    .grad = write_grad,
};
static_assert(well_formed(kTensorArrayWriteV3));

extern constexpr OpDecl kTensorArrayReadV3{
    .name = "TensorArrayReadV3",
    .doc = "Reads one element.",
    .inputs = {"handle: resource", "index: int32", "flow_in: float"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type"},
    .traits = kStateful,
    .shape = array_read_shape,
    .grad = read_grad,
};
static_assert(well_formed(kTensorArrayReadV3));

extern constexpr OpDecl kTensorArrayGatherV3{
    .name = "TensorArrayGatherV3",
    .doc = "The elements at `indices`, stacked along a new first dimension.",
    .inputs = {"handle: resource", "indices: int32", "flow_in: float"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type", "element_shape: shape = { unknown_rank: true }"},
    .traits = kStateful | kDataDependentShape,
    .shape = array_gather_shape,
    .grad = gather_grad,
};
static_assert(well_formed(kTensorArrayGatherV3));

extern constexpr OpDecl kTensorArrayScatterV3{
    .name = "TensorArrayScatterV3",
    .doc = "Writes each row of `value` to the position that `indices` names for it.",
    .inputs = {"handle: resource", "indices: int32", "value: T", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .traits = kStateful,
    .shape = array_scatter_shape,
    .grad = scatter_grad,
};
static_assert(well_formed(kTensorArrayScatterV3));

extern constexpr OpDecl kTensorArrayConcatV3{
    .name = "TensorArrayConcatV3",
    .doc = "All elements, joined along their first dimension, and how long each was.",
    .inputs = {"handle: resource", "flow_in: float"},
    .outputs = {"value: dtype", "lengths: int64"},
    .attrs = {"dtype: type", "element_shape_except0: shape = { unknown_rank: true }"},
    .traits = kStateful | kDataDependentShape,
    .shape = array_concat_shape,
    .grad = concat_grad,
};
static_assert(well_formed(kTensorArrayConcatV3));

extern constexpr OpDecl kTensorArraySplitV3{
    .name = "TensorArraySplitV3",
    .doc = "Writes `value`, cut along its first dimension into pieces of `lengths`.",
    .inputs = {"handle: resource", "value: T", "lengths: int64", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .traits = kStateful,
    .shape = array_split_shape,
    .grad = split_grad,
};
static_assert(well_formed(kTensorArraySplitV3));

extern constexpr OpDecl kTensorArraySizeV3{
    .name = "TensorArraySizeV3",
    .doc = "How many elements the array has.",
    .inputs = {"handle: resource", "flow_in: float"},
    .outputs = {"size: int32"},
    .traits = kStateful,
    .shape = array_size_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorArraySizeV3));

extern constexpr OpDecl kTensorArrayCloseV3{
    .name = "TensorArrayCloseV3",
    .doc = "Gives up the elements; using the array afterwards is an error.",
    .inputs = {"handle: resource"},
    .traits = kStateful,
    .shape = nothing_of_string_handle,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorArrayCloseV3));

}  // namespace rill
