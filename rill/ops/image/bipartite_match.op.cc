#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes match_shape(const ShapeCtx& c) {
  const PartialShape distances = c.with_rank(0, 2);
  return {PartialShape{distances.dim(0)}, PartialShape{distances.dim(1)}};
}

}  // namespace

extern constexpr OpDecl kBipartiteMatch{
    .name = "BipartiteMatch",
    .doc =
        "Pairs of rows and columns, the nearest first: for each row its column and for each column "
        "its row, -1 for those without. Of the rows only the first `num_valid_rows` are paired, "
        "all where it is negative; with a `top_k` above 0 there are that many pairs at most.",
    .inputs = {"distance_mat: float", "num_valid_rows: float"},
    .outputs = {"row_to_col_match_indices: int32", "col_to_row_match_indices: int32"},
    .attrs = {"top_k: int = -1"},
    .traits = kPure,
    .shape = match_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kBipartiteMatch));

}  // namespace rill
