#include "rill/graph/op_decl.h"
#include "rill/ops/resource/string_handle_shapes.h"

namespace rill {

extern constexpr OpDecl kSparseConditionalAccumulator{
    .name = "SparseConditionalAccumulator",
    .doc =
        "Collects gradients of which only some rows are given, and gives out their average or sum.",
    .outputs = {"handle: Ref(string)"},
    .attrs = {"dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "shape: shape", "container: string = ''", "shared_name: string = ''",
              "reduction_type: {'MEAN', 'SUM'} = 'MEAN'"},
    .traits = kStateful,
    .shape = string_handle_output,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseConditionalAccumulator));

extern constexpr OpDecl kSparseAccumulatorApplyGradient{
    .name = "SparseAccumulatorApplyGradient",
    .doc = "Adds rows of a gradient, unless it was computed for an earlier step.",
    .inputs = {"handle: Ref(string)", "local_step: int64", "gradient_indices: int64",
               "gradient_values: dtype", "gradient_shape: int64"},
    .attrs = {"dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "has_known_shape: bool"},
    .grad = no_gradient,
};
static_assert(well_formed(kSparseAccumulatorApplyGradient));

extern constexpr OpDecl kSparseAccumulatorTakeGradient{
    .name = "SparseAccumulatorTakeGradient",
    .doc =
        "Each row's average over the gradients that have it, or the sum, once num_required "
        "gradients have come; begins a new step.",
    .inputs = {"handle: Ref(string)", "num_required: int32"},
    .outputs = {"indices: int64", "values: dtype", "shape: int64"},
    .attrs = {"dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseAccumulatorTakeGradient));

}  // namespace rill
