// TensorArray as it was when handles were references to strings.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data_flow/older_array.h"

namespace rill {

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

extern constexpr OpDecl kTensorArrayWrite{
    .name = "TensorArrayWrite",
    .doc = "Writes one element; use TensorArrayWriteV3.",
    .inputs = {"handle: Ref(string)", "index: int32", "value: T", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .shape = unknown_outputs,
    .grad = older_write_grad,
    .deprecated = 16,
    .deprecated_why = "Use TensorArrayWriteV3",
};
static_assert(well_formed(kTensorArrayWrite));

extern constexpr OpDecl kTensorArrayRead{
    .name = "TensorArrayRead",
    .doc = "Reads one element; use TensorArrayReadV3.",
    .inputs = {"handle: Ref(string)", "index: int32", "flow_in: float"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type"},
    .shape = unknown_outputs,
    .grad = older_read_grad,
    .deprecated = 16,
    .deprecated_why = "Use TensorArrayReadV3",
};
static_assert(well_formed(kTensorArrayRead));

extern constexpr OpDecl kTensorArrayGather{
    .name = "TensorArrayGather",
    .doc = "The elements at `indices`, stacked; use TensorArrayGatherV3.",
    .inputs = {"handle: Ref(string)", "indices: int32", "flow_in: float"},
    .outputs = {"value: dtype"},
    .attrs = {"dtype: type", "element_shape: shape = { unknown_rank: true }"},
    .shape = unknown_outputs,
    .grad = older_gather_grad,
    .deprecated = 16,
    .deprecated_why = "Use TensorArrayGatherV3",
};
static_assert(well_formed(kTensorArrayGather));

extern constexpr OpDecl kTensorArrayScatter{
    .name = "TensorArrayScatter",
    .doc =
        "Writes each row of `value` to the position that `indices` names for it; use "
        "TensorArrayScatterV3.",
    .inputs = {"handle: Ref(string)", "indices: int32", "value: T", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .shape = unknown_outputs,
    .grad = older_scatter_grad,
    .deprecated = 19,
    .deprecated_why = "Use TensorArrayGradV3",
};
static_assert(well_formed(kTensorArrayScatter));

extern constexpr OpDecl kTensorArrayConcat{
    .name = "TensorArrayConcat",
    .doc = "All elements, joined along their first dimension; use TensorArrayConcatV3.",
    .inputs = {"handle: Ref(string)", "flow_in: float"},
    .outputs = {"value: dtype", "lengths: int64"},
    .attrs = {"dtype: type", "element_shape_except0: shape = { unknown_rank: true }"},
    .shape = unknown_outputs,
    .grad = older_concat_grad,
    .deprecated = 16,
    .deprecated_why = "Use TensorArrayGradV3",
};
static_assert(well_formed(kTensorArrayConcat));

extern constexpr OpDecl kTensorArraySplit{
    .name = "TensorArraySplit",
    .doc = "Writes `value`, cut into pieces of `lengths`; use TensorArraySplitV3.",
    .inputs = {"handle: Ref(string)", "value: T", "lengths: int64", "flow_in: float"},
    .outputs = {"flow_out: float"},
    .attrs = {"T: type"},
    .shape = unknown_outputs,
    .grad = older_split_grad,
    .deprecated = 16,
    .deprecated_why = "Use TensorArraySplitV3",
};
static_assert(well_formed(kTensorArraySplit));

extern constexpr OpDecl kTensorArraySize{
    .name = "TensorArraySize",
    .doc = "How many elements the array has; use TensorArraySizeV3.",
    .inputs = {"handle: Ref(string)", "flow_in: float"},
    .outputs = {"size: int32"},
    .shape = unknown_outputs,
    .grad = not_differentiable,
    .deprecated = 16,
    .deprecated_why = "Use TensorArraySizeV3",
};
static_assert(well_formed(kTensorArraySize));

extern constexpr OpDecl kTensorArrayClose{
    .name = "TensorArrayClose",
    .doc = "Gives up the elements; use TensorArrayCloseV3.",
    .inputs = {"handle: Ref(string)"},
    .grad = not_differentiable,
    .deprecated = 16,
    .deprecated_why = "Use TensorArrayCloseV3",
};
static_assert(well_formed(kTensorArrayClose));

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
