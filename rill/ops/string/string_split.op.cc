#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// A sparse matrix of tokens; how many there are is known only when the op runs.
Shapes split_shape(const ShapeCtx& c) {
  (void)c.vector(0);
  (void)c.scalar(1);
  return {PartialShape{kUnknownDim, 2}, PartialShape{kUnknownDim}, PartialShape{2}};
}

}  // namespace

extern constexpr OpDecl kStringSplit{
    .name = "StringSplit",
    .doc =
        "The tokens of each string as a sparse matrix. Each byte of `delimiter` ends a token; "
        "without one every byte is a token.",
    .inputs = {"input: string", "delimiter: string"},
    .outputs = {"indices: int64", "values: string", "shape: int64"},
    .attrs = {"skip_empty: bool = true"},
    .traits = kPure | kDataDependentShape,
    .shape = split_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kStringSplit));

extern constexpr OpDecl kStringSplitV2{
    .name = "StringSplitV2",
    .doc =
        "The tokens of each string as a sparse matrix, cut as Python's str.split does: at `sep`, "
        "or at runs of white space if it is empty, and at most `maxsplit` times if that is not "
        "negative.",
    .inputs = {"input: string", "sep: string"},
    .outputs = {"indices: int64", "values: string", "shape: int64"},
    .attrs = {"maxsplit: int = -1"},
    .traits = kPure | kDataDependentShape,
    .shape = split_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStringSplitV2));

}  // namespace rill
