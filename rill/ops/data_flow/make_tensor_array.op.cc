#include "rill/graph/op_decl.h"
#include "rill/ops/data_flow/tensor_array_shapes.h"

namespace rill {
namespace {

Shapes array_v2_shape(const ShapeCtx& c) {
  c.scalar(0);
  return {string_handle_shape()};
}

Shapes array_shape(const ShapeCtx& c) {
  c.scalar(0);
  const auto& element = c.attr<PartialShape>("element_shape");
  if (element.is_full() || c.flag("identical_element_shapes"))
    c.set_output_handle(0, {c.attr<DType>("dtype"), element});
  return {string_handle_shape(), PartialShape::scalar()};
}

Shapes array_v2_grad_shape(const ShapeCtx& c) {
  check_array_inputs(c, {1});
  return {string_handle_shape()};
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

extern constexpr OpDecl kTensorArrayV2{
    .name = "TensorArrayV2",
    .doc =
        "A list of `size` tensors that this step writes and reads by position; use TensorArrayV3.",
    .inputs = {"size: int32"},
    .outputs = {"handle: string"},
    .attrs = {"dtype: type", "element_shape: shape = { unknown_rank: true }",
              "dynamic_size: bool = false", "clear_after_read: bool = true",
              "tensor_array_name: string = ''"},
    .traits = kStateful | kNoLastingEffect,
    .shape = array_v2_shape,
    .grad = not_differentiable,
    .deprecated = 26,
    .deprecated_why = "Use TensorArrayV3",
};
static_assert(well_formed(kTensorArrayV2));

extern constexpr OpDecl kTensorArray{
    .name = "TensorArray",
    .doc =
        "A list of `size` tensors that this step writes and reads by position; use TensorArrayV3.",
    .inputs = {"size: int32"},
    .outputs = {"handle: Ref(string)"},
    .attrs = {"dtype: type", "dynamic_size: bool = false", "clear_after_read: bool = true",
              "tensor_array_name: string = ''", "element_shape: shape = { unknown_rank: true }"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = not_differentiable,
    .deprecated = 16,
    .deprecated_why = "Use TensorArrayV3",
};
static_assert(well_formed(kTensorArray));

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

extern constexpr OpDecl kTensorArrayGradV2{
    .name = "TensorArrayGradV2",
    .doc =
        "The array that sums the gradients of an array's elements, one per `source`; use "
        "TensorArrayGradV3.",
    .inputs = {"handle: string", "flow_in: float"},
    .outputs = {"grad_handle: string"},
    .attrs = {"source: string"},
    .traits = kStateful,
    .shape = array_v2_grad_shape,
    .grad = not_differentiable,
    .deprecated = 26,
    .deprecated_why = "Use TensorArrayGradV3",
};
static_assert(well_formed(kTensorArrayGradV2));

extern constexpr OpDecl kTensorArrayGrad{
    .name = "TensorArrayGrad",
    .doc =
        "The array that sums the gradients of an array's elements, one per `source`; use "
        "TensorArrayGradV3.",
    .inputs = {"handle: string", "flow_in: float"},
    .outputs = {"grad_handle: Ref(string)"},
    .attrs = {"source: string"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = not_differentiable,
    .deprecated = 16,
    .deprecated_why = "Use TensorArrayGradV3",
};
static_assert(well_formed(kTensorArrayGrad));

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

}  // namespace rill
