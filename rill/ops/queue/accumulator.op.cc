#include "rill/ops/resource/handle_twin.h"

namespace rill {

extern constexpr OpDecl kResourceConditionalAccumulator{
    .name = "ResourceConditionalAccumulator",
    .doc = "Collects gradients of one step and gives out their average or sum.",
    .outputs = {"handle: resource"},
    .attrs = {"dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "shape: shape", "container: string = ''", "shared_name: string = ''",
              "reduction_type: {'MEAN', 'SUM'} = 'MEAN'"},
    .traits = kStateful,
    .shape = string_handle_output,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceConditionalAccumulator));

extern constexpr OpDecl kConditionalAccumulator =
    string_handle_maker<kResourceConditionalAccumulator>(
        {.name = "ConditionalAccumulator",
         .doc =
             "Collects gradients of one step and gives out their average or sum; the handle is a "
             "reference to strings."});
static_assert(well_formed(kConditionalAccumulator));

extern constexpr OpDecl kResourceAccumulatorApplyGradient{
    .name = "ResourceAccumulatorApplyGradient",
    .doc = "Adds a gradient, unless it was computed for an earlier step.",
    .inputs = {"handle: resource", "local_step: int64", "gradient: dtype"},
    .attrs = {"dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceAccumulatorApplyGradient));

extern constexpr OpDecl kAccumulatorApplyGradient =
    string_handle_user<kResourceAccumulatorApplyGradient>({.name = "AccumulatorApplyGradient"});
static_assert(well_formed(kAccumulatorApplyGradient));

extern constexpr OpDecl kResourceAccumulatorTakeGradient{
    .name = "ResourceAccumulatorTakeGradient",
    .doc = "The average or sum of the gradients, once num_required have come; begins a new step.",
    .inputs = {"handle: resource", "num_required: int32"},
    .outputs = {"average: dtype"},
    .attrs = {"dtype: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceAccumulatorTakeGradient));

extern constexpr OpDecl kAccumulatorTakeGradient =
    string_handle_user<kResourceAccumulatorTakeGradient>({.name = "AccumulatorTakeGradient"});
static_assert(well_formed(kAccumulatorTakeGradient));

extern constexpr OpDecl kResourceAccumulatorSetGlobalStep{
    .name = "ResourceAccumulatorSetGlobalStep",
    .doc = "Says which step it is.",
    .inputs = {"handle: resource", "new_global_step: int64"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceAccumulatorSetGlobalStep));

extern constexpr OpDecl kAccumulatorSetGlobalStep =
    string_handle_user<kResourceAccumulatorSetGlobalStep>({.name = "AccumulatorSetGlobalStep"});
static_assert(well_formed(kAccumulatorSetGlobalStep));

extern constexpr OpDecl kResourceAccumulatorNumAccumulated{
    .name = "ResourceAccumulatorNumAccumulated",
    .doc = "How many gradients have been added in this step.",
    .inputs = {"handle: resource"},
    .outputs = {"num_accumulated: int32"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceAccumulatorNumAccumulated));

extern constexpr OpDecl kAccumulatorNumAccumulated =
    string_handle_user<kResourceAccumulatorNumAccumulated>({.name = "AccumulatorNumAccumulated"});
static_assert(well_formed(kAccumulatorNumAccumulated));

}  // namespace rill
