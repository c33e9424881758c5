#include <algorithm>

#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Inputs i, i + 1 and i + 2 are the indices, values and shape of a sparse tensor.
void check_sparse(const ShapeCtx& c, int i, const char* which) {
  const PartialShape indices = c.with_rank(i, 2), values = c.vector(i + 1), shape = c.vector(i + 2);
  require(compatible(indices.dim(0), values.dim(0)), "Number of elements in index (",
          indices.dim(0), ") and values (", values.dim(0), ") do not match.");
  require(compatible(indices.dim(1), shape.dim(0)), "Index rank (", indices.dim(1),
          ") and shape rank (", shape.dim(0), ") do not match.");
  require(shape.dim(0) < 0 || shape.dim(0) >= 2, "Input SparseTensors must have rank at least 2, ",
          "but the rank of the ", which, " is: ", shape.dim(0));
}

// A distance for each sequence; sequences lie along the last dimension.
Shapes edit_distance_shape(const ShapeCtx& c) {
  check_sparse(c, 0, "hypothesis");
  check_sparse(c, 3, "truth");
  const std::int64_t rank_h = c.input(2).has_rank() ? c.input(2).dim(0) : kUnknownDim;
  const std::int64_t rank_t = c.input(5).has_rank() ? c.input(5).dim(0) : kUnknownDim;
  require(compatible(rank_h, rank_t), "Expected hypothesis_shape and truth_shape to have one rank,",
          " but they are ", rank_h, " and ", rank_t);
  std::vector<std::int64_t> hypothesis, truth;
  if (!c.int_values(2, &hypothesis) || !c.int_values(5, &truth)) return {PartialShape()};
  PartialShape out = PartialShape::scalar();
  for (std::size_t d = 0; d + 1 < hypothesis.size(); ++d) {
    const std::int64_t dim = std::max(hypothesis[d], truth[d]);
    require(hypothesis[d] >= 0 && truth[d] >= 0, "Dimension ", std::min(hypothesis[d], truth[d]),
            " must be >= 0");
    out.add_dim(dim);
  }
  return {out};
}

}  // namespace

extern constexpr OpDecl kEditDistance{
    .name = "EditDistance",
    .doc =
        "How many insertions, deletions and replacements turn each sequence of the hypothesis into "
        "that of the truth, divided by the length of the latter if `normalize`.",
    .inputs = {"hypothesis_indices: int64", "hypothesis_values: T", "hypothesis_shape: int64",
               "truth_indices: int64", "truth_values: T", "truth_shape: int64"},
    .outputs = {"output: float"},
    .attrs = {"normalize: bool = true", "T: type"},
    .traits = kPure,
    .shape = edit_distance_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kEditDistance));

}  // namespace rill
