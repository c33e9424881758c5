#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// As stated of one row, with the number of rows in front.
Shapes map_defun_shapes(const ShapeCtx& c) {
  const auto& rows = c.attr<std::vector<PartialShape>>("output_shapes");
  require(rows.size() == static_cast<std::size_t>(c.output_count()),
          "`output_shapes` must be the same length as `output_types` (", rows.size(), " vs. ",
          c.output_count(), ")");
  const auto arguments = c.attr<std::vector<DType>>("Targuments").size();
  std::int64_t count = -1;
  for (std::size_t i = 0; i < arguments; ++i) {
    const PartialShape input = c.with_rank_at_least(static_cast<int>(i), 1);
    if (input.has_rank()) count = merge_dim(count, input.dim(0));
  }
  Shapes shapes;
  for (const PartialShape& row : rows) {
    std::vector<std::int64_t> dims{count};
    dims.insert(dims.end(), row.dims().begin(), row.dims().end());
    shapes.push_back(row.has_rank() ? PartialShape(dims) : PartialShape());
  }
  return shapes;
}

}  // namespace

extern constexpr OpDecl kMapDefun{
    .name = "MapDefun",
    .doc = "The results of the function `f` for every row of the arguments, stacked.",
    .inputs = {"arguments: Targuments", "captured_inputs: Tcaptured"},
    .outputs = {"output: output_types"},
    .attrs = {"Targuments: list(type) >= 1", "Tcaptured: list(type) >= 0 = []",
              "output_types: list(type) >= 1", "output_shapes: list(shape) >= 1", "f: func",
              "max_intra_op_parallelism: int = 1"},
    .shape = map_defun_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kMapDefun));

}  // namespace rill
