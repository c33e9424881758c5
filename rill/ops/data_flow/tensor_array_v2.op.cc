// TensorArray as it was when handles were strings.
#include "rill/graph/op_decl.h"
#include "rill/ops/data_flow/older_array.h"
#include "rill/ops/data_flow/tensor_array_shapes.h"

namespace rill {
namespace {

Shapes array_v2_shape(const ShapeCtx& c) {
  c.scalar(0);
  return {string_handle_shape()};
}

Shapes array_v2_grad_shape(const ShapeCtx& c) {
  check_array_inputs(c, {1});
  return {string_handle_shape()};
}

Shapes array_v2_write_shape(const ShapeCtx& c) {
  check_array_inputs(c, {1, 3});
  return {PartialShape::scalar()};
}

Shapes array_v2_read_shape(const ShapeCtx& c) {
  check_array_inputs(c, {1, 2});
  return {PartialShape()};
}

Shapes array_v2_gather_shape(const ShapeCtx& c) {
  check_array_inputs(c, {2});
  c.vector(1);
  return {PartialShape()};
}

Shapes array_v2_scatter_shape(const ShapeCtx& c) {
  check_array_inputs(c, {3});
  c.vector(1);
  return {PartialShape::scalar()};
}

}  // namespace

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

extern constexpr OpDecl kTensorArrayWriteV2{
    .name = "TensorArrayWriteV2",
    .doc = "Writes one element; use TensorArrayWriteV3.",
    .inputs = {"handle: string", "index: int32", "value: T", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .shape = array_v2_write_shape,
    .grad = older_write_grad,
    .deprecated = 26,
    .deprecated_why = "Use TensorArrayWriteV3",
};
static_assert(well_formed(kTensorArrayWriteV2));

extern constexpr OpDecl kTensorArrayReadV2{
    .name = "TensorArrayReadV2",
    .doc = "Reads one element; use TensorArrayReadV3.",
    .inputs = {"handle: string", "index: int32", "flow_in: float"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type"},
    .shape = array_v2_read_shape,
    .grad = older_read_grad,
    .deprecated = 26,
    .deprecated_why = "Use TensorArrayReadV3",
};
static_assert(well_formed(kTensorArrayReadV2));

extern constexpr OpDecl kTensorArrayGatherV2{
    .name = "TensorArrayGatherV2",
    .doc = "The elements at `indices`, stacked; use TensorArrayGatherV3.",
    .inputs = {"handle: string", "indices: int32", "flow_in: float"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type", "element_shape: shape = { unknown_rank: true }"},
    .shape = array_v2_gather_shape,
    .grad = older_gather_grad,
    .deprecated = 26,
    .deprecated_why = "Use TensorArrayGatherV3",
};
static_assert(well_formed(kTensorArrayGatherV2));

extern constexpr OpDecl kTensorArrayScatterV2{
    .name = "TensorArrayScatterV2",
    .doc =
        "Writes each row of `value` to the position that `indices` names for it; use "
        "TensorArrayScatterV3.",
    .inputs = {"handle: string", "indices: int32", "value: T", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .shape = array_v2_scatter_shape,
    .grad = older_scatter_grad,
    .deprecated = 26,
    .deprecated_why = "Use TensorArrayScatterV3",
};
static_assert(well_formed(kTensorArrayScatterV2));

extern constexpr OpDecl kTensorArrayConcatV2{
    .name = "TensorArrayConcatV2",
    .doc = "All elements, joined along their first dimension; use TensorArrayConcatV3.",
    .inputs = {"handle: string", "flow_in: float"},
    .outputs = {"value: dtype", "lengths: int64"},
    .attrs = {"dtype: type", "element_shape_except0: shape = { unknown_rank: true }"},
    .shape = array_concat_shape,
    .grad = older_concat_grad,
};
static_assert(well_formed(kTensorArrayConcatV2));

extern constexpr OpDecl kTensorArraySplitV2{
    .name = "TensorArraySplitV2",
    .doc = "Writes `value`, cut into pieces of `lengths`; use TensorArraySplitV3.",
    .inputs = {"handle: string", "value: T", "lengths: int64", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .shape = array_split_shape,
    .grad = older_split_grad,
    .deprecated = 26,
    .deprecated_why = "Use TensorArraySplitV3",
};
static_assert(well_formed(kTensorArraySplitV2));

extern constexpr OpDecl kTensorArraySizeV2{
    .name = "TensorArraySizeV2",
    .doc = "How many elements the array has; use TensorArraySizeV3.",
    .inputs = {"handle: string", "flow_in: float"},
    .outputs = {"size: int32"},
    .shape = array_size_shape,
    .grad = not_differentiable,
    .deprecated = 26,
    .deprecated_why = "Use TensorArraySizeV3",
};
static_assert(well_formed(kTensorArraySizeV2));

extern constexpr OpDecl kTensorArrayCloseV2{
    .name = "TensorArrayCloseV2",
    .doc = "Gives up the elements; use TensorArrayCloseV3.",
    .inputs = {"handle: string"},
    .shape = nothing_of_string_handle,
    .grad = not_differentiable,
    .deprecated = 26,
    .deprecated_why = "Use TensorArrayCloseV3",
};
static_assert(well_formed(kTensorArrayCloseV2));

}  // namespace rill
