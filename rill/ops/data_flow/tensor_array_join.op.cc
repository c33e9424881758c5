#include "rill/ops/data_flow/older_array.h"
#include "rill/ops/data_flow/tensor_array_grad.h"
#include "rill/ops/data_flow/tensor_array_shapes.h"
#include "rill/ops/resource/handle_twin.h"

namespace rill {
namespace {

// Shapes after the first dimension.
PartialShape without_first(const PartialShape& shape) {
  if (!shape.has_rank() || shape.rank() == 0) return {};
  return PartialShape(shape.dims().subspan(1));
}

Shapes array_v2_gather_shape(const ShapeCtx& c) {
  check_array_inputs(c, {2});
  c.vector(1);
  return {PartialShape()};
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

}  // namespace

extern constexpr OpDecl kTensorArrayGatherV3{
    .name = "TensorArrayGatherV3",
    .doc = "The elements at `indices`, stacked along a new first dimension.",
    .inputs = {"handle: resource", "indices: int32", "flow_in: float"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type", "element_shape: shape = { unknown_rank: true }"},
    .traits = kStateful | kDataDependentShape,
    .shape = array_gather_shape,
    .grad = array_gather_grad,
};
static_assert(well_formed(kTensorArrayGatherV3));

extern constexpr OpDecl kTensorArrayGatherV2 = older_handle_twin<kTensorArrayGatherV3, "string">(
    {.name = "TensorArrayGatherV2",
     .doc = "The elements at `indices`, stacked; use TensorArrayGatherV3.",
     .drops = kDataDependentShape,
     .shape = array_v2_gather_shape,
     .grad = older_gather_grad,
     .deprecated = 26,
     .deprecated_why = "Use TensorArrayGatherV3"});
static_assert(well_formed(kTensorArrayGatherV2));

extern constexpr OpDecl kTensorArrayGather =
    string_handle_user<kTensorArrayGatherV2>({.name = "TensorArrayGather",
                                              .shape = unknown_outputs,
                                              .deprecated = 16,
                                              .deprecated_why = "Use TensorArrayGatherV3"});
static_assert(well_formed(kTensorArrayGather));

extern constexpr OpDecl kTensorArrayScatterV3{
    .name = "TensorArrayScatterV3",
    .doc = "Writes each row of `value` to the position that `indices` names for it.",
    .inputs = {"handle: resource", "indices: int32", "value: T", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .traits = kStateful,
    .shape = array_scatter_shape,
    .grad = array_scatter_grad,
};
static_assert(well_formed(kTensorArrayScatterV3));

extern constexpr OpDecl kTensorArrayScatterV2 = older_handle_twin<kTensorArrayScatterV3, "string">(
    {.name = "TensorArrayScatterV2",
     .doc = "Writes each row of `value` to the position that `indices` names for it; use "
            "TensorArrayScatterV3.",
     .grad = older_scatter_grad,
     .deprecated = 26,
     .deprecated_why = "Use TensorArrayScatterV3"});
static_assert(well_formed(kTensorArrayScatterV2));

extern constexpr OpDecl kTensorArrayScatter =
    string_handle_user<kTensorArrayScatterV2>({.name = "TensorArrayScatter",
                                               .shape = unknown_outputs,
                                               .deprecated = 19,
                                               .deprecated_why = "Use TensorArrayGradV3"});
static_assert(well_formed(kTensorArrayScatter));

extern constexpr OpDecl kTensorArrayConcatV3{
    .name = "TensorArrayConcatV3",
    .doc = "All elements, joined along their first dimension, and how long each was.",
    .inputs = {"handle: resource", "flow_in: float"},
    .outputs = {"value: dtype", "lengths: int64"},
    .attrs = {"dtype: type", "element_shape_except0: shape = { unknown_rank: true }"},
    .traits = kStateful | kDataDependentShape,
    .shape = array_concat_shape,
    .grad = array_concat_grad,
};
static_assert(well_formed(kTensorArrayConcatV3));

extern constexpr OpDecl kTensorArrayConcatV2 = older_handle_twin<kTensorArrayConcatV3, "string">(
    {.name = "TensorArrayConcatV2",
     .doc = "All elements, joined along their first dimension; use TensorArrayConcatV3.",
     .drops = kDataDependentShape,
     .grad = older_concat_grad});
static_assert(well_formed(kTensorArrayConcatV2));

extern constexpr OpDecl kTensorArrayConcat =
    string_handle_user<kTensorArrayConcatV2>({.name = "TensorArrayConcat",
                                              .shape = unknown_outputs,
                                              .deprecated = 16,
                                              .deprecated_why = "Use TensorArrayGradV3"});
static_assert(well_formed(kTensorArrayConcat));

extern constexpr OpDecl kTensorArraySplitV3{
    .name = "TensorArraySplitV3",
    .doc = "Writes `value`, cut along its first dimension into pieces of `lengths`.",
    .inputs = {"handle: resource", "value: T", "lengths: int64", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .traits = kStateful,
    .shape = array_split_shape,
    .grad = array_split_grad,
};
static_assert(well_formed(kTensorArraySplitV3));

extern constexpr OpDecl kTensorArraySplitV2 = older_handle_twin<kTensorArraySplitV3, "string">(
    {.name = "TensorArraySplitV2",
     .doc = "Writes `value`, cut into pieces of `lengths`; use TensorArraySplitV3.",
     .grad = older_split_grad,
     .deprecated = 26,
     .deprecated_why = "Use TensorArraySplitV3"});
static_assert(well_formed(kTensorArraySplitV2));

extern constexpr OpDecl kTensorArraySplit =
    string_handle_user<kTensorArraySplitV2>({.name = "TensorArraySplit",
                                             .shape = unknown_outputs,
                                             .deprecated = 16,
                                             .deprecated_why = "Use TensorArraySplitV3"});
static_assert(well_formed(kTensorArraySplit));

extern constexpr OpDecl kTensorArrayPack{
    .name = "TensorArrayPack",
    .doc = "All elements, stacked along a new first dimension; use TensorArrayGatherV3.",
    .inputs = {"handle: Ref(string)", "flow_in: float"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type", "element_shape: shape = { unknown_rank: true }"},
    .shape = unknown_outputs,
    .grad = no_gradient,
    .deprecated = 16,
    .deprecated_why = "Use TensorArrayGatherV3 with RangeOp",
};
static_assert(well_formed(kTensorArrayPack));

extern constexpr OpDecl kTensorArrayUnpack{
    .name = "TensorArrayUnpack",
    .doc = "Writes the rows of `value`; use TensorArrayScatterV3.",
    .inputs = {"handle: Ref(string)", "value: T", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .shape = unknown_outputs,
    .grad = no_gradient,
    .deprecated = 20,
    .deprecated_why = "Use TensorArrayScatterV3 with RangeOp",
};
static_assert(well_formed(kTensorArrayUnpack));

}  // namespace rill
