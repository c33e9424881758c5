#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kSparseTensorSliceDataset{
    .name = "SparseTensorSliceDataset",
    .doc = "The rows of a sparse tensor, in order.",
    .inputs = {"indices: int64", "values: Tvalues", "dense_shape: int64"},
    .outputs = {"handle: variant"},
    .attrs = {"Tvalues: type"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseTensorSliceDataset));

}  // namespace rill
