// Of TensorFlow 2, which counts with it what lies in the rows of ragged tensors.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes dense_bincount_shape(const ShapeCtx& c) {
  const PartialShape& input = c.input(0);
  require(!input.has_rank() || input.rank() == 1 || input.rank() == 2,
          "Shape must be at most rank 2 but is rank ", input.has_rank() ? input.rank() : 0);
  (void)c.scalar(1);
  std::int64_t size = kUnknownDim;
  if (c.int_value(1, &size)) require(size >= 0, "size (", size, ") must be non-negative");
  if (!input.has_rank()) return {PartialShape()};
  return {input.rank() == 1 ? PartialShape{size} : PartialShape{input.dim(0), size}};
}

}  // namespace

extern constexpr OpDecl kDenseBincount{
    .name = "DenseBincount",
    .doc =
        "How often each number below size comes in the input, or in each row of it; the sum of "
        "the weights it comes with, or whether it comes at all.",
    .inputs = {"input: Tidx", "size: Tidx", "weights: T"},
    .outputs = {"output: T"},
    .attrs = {"Tidx: {int32, int64}", "T: {int32, int64, float, double}",
              "binary_output: bool = false"},
    .traits = kPure,
    .shape = dense_bincount_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kDenseBincount));

}  // namespace rill
