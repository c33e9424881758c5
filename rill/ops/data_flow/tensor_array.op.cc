#include "rill/ops/data_flow/older_array.h"
#include "rill/ops/data_flow/tensor_array_grad.h"
#include "rill/ops/data_flow/tensor_array_shapes.h"
#include "rill/ops/resource/handle_twin.h"

namespace rill {
namespace {

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

}  // namespace

extern constexpr OpDecl kTensorArrayWriteV3{
    .name = "TensorArrayWriteV3",
    .doc = "Writes one element; what must come later waits for `flow_out`.",
    .inputs = {"handle: resource", "index: int32", "value: T", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .traits = kStateful,
    .shape = array_write_shape,
    .grad = array_write_grad,
};
static_assert(well_formed(kTensorArrayWriteV3));

extern constexpr OpDecl kTensorArrayWriteV2 = older_handle_twin<kTensorArrayWriteV3, "string">(
    {.name = "TensorArrayWriteV2",
     .doc = "Writes one element; use TensorArrayWriteV3.",
     .grad = older_write_grad,
     .deprecated = 26,
     .deprecated_why = "Use TensorArrayWriteV3"});
static_assert(well_formed(kTensorArrayWriteV2));

extern constexpr OpDecl kTensorArrayWrite =
    string_handle_user<kTensorArrayWriteV2>({.name = "TensorArrayWrite",
                                             .shape = unknown_outputs,
                                             .deprecated = 16,
                                             .deprecated_why = "Use TensorArrayWriteV3"});
static_assert(well_formed(kTensorArrayWrite));

extern constexpr OpDecl kTensorArrayReadV3{
    .name = "TensorArrayReadV3",
    .doc = "Reads one element.",
    .inputs = {"handle: resource", "index: int32", "flow_in: float"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type"},
    .traits = kStateful,
    .shape = array_read_shape,
    .grad = array_read_grad,
};
static_assert(well_formed(kTensorArrayReadV3));

extern constexpr OpDecl kTensorArrayReadV2 = older_handle_twin<kTensorArrayReadV3, "string">(
    {.name = "TensorArrayReadV2",
     .doc = "Reads one element; use TensorArrayReadV3.",
     .grad = older_read_grad,
     .deprecated = 26,
     .deprecated_why = "Use TensorArrayReadV3"});
static_assert(well_formed(kTensorArrayReadV2));

extern constexpr OpDecl kTensorArrayRead =
    string_handle_user<kTensorArrayReadV2>({.name = "TensorArrayRead",
                                            .shape = unknown_outputs,
                                            .deprecated = 16,
                                            .deprecated_why = "Use TensorArrayReadV3"});
static_assert(well_formed(kTensorArrayRead));

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

extern constexpr OpDecl kTensorArraySizeV2 = older_handle_twin<kTensorArraySizeV3, "string">(
    {.name = "TensorArraySizeV2",
     .doc = "How many elements the array has; use TensorArraySizeV3.",
     .deprecated = 26,
     .deprecated_why = "Use TensorArraySizeV3"});
static_assert(well_formed(kTensorArraySizeV2));

extern constexpr OpDecl kTensorArraySize =
    string_handle_user<kTensorArraySizeV2>({.name = "TensorArraySize",
                                            .shape = unknown_outputs,
                                            .deprecated = 16,
                                            .deprecated_why = "Use TensorArraySizeV3"});
static_assert(well_formed(kTensorArraySize));

extern constexpr OpDecl kTensorArrayCloseV3{
    .name = "TensorArrayCloseV3",
    .doc = "Gives up the elements; using the array afterwards is an error.",
    .inputs = {"handle: resource"},
    .traits = kStateful,
    .shape = nothing_of_string_handle,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorArrayCloseV3));

extern constexpr OpDecl kTensorArrayCloseV2 = older_handle_twin<kTensorArrayCloseV3, "string">(
    {.name = "TensorArrayCloseV2",
     .doc = "Gives up the elements; use TensorArrayCloseV3.",
     .deprecated = 26,
     .deprecated_why = "Use TensorArrayCloseV3"});
static_assert(well_formed(kTensorArrayCloseV2));

extern constexpr OpDecl kTensorArrayClose{
    .name = "TensorArrayClose",
    .doc = "Gives up the elements; use TensorArrayCloseV3.",
    .inputs = {"handle: Ref(string)"},
    .grad = not_differentiable,
    .deprecated = 16,
    .deprecated_why = "Use TensorArrayCloseV3",
};
static_assert(well_formed(kTensorArrayClose));

}  // namespace rill
