// Datasets of tensors that are there already.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kTensorDataset{
    .name = "TensorDataset",
    .doc = "One element: the components as they are.",
    .inputs = {"components: Toutput_types"},
    .outputs = {"handle: variant"},
    .attrs = {"Toutput_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorDataset));

extern constexpr OpDecl kTensorSliceDataset{
    .name = "TensorSliceDataset",
    .doc = "The rows of the components, one element each.",
    .inputs = {"components: Toutput_types"},
    .outputs = {"handle: variant"},
    .attrs = {"Toutput_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorSliceDataset));

}  // namespace rill
