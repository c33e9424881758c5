#include "rill/ops/array/join/pad_shape.h"

#include "rill/ops/array/values/index_values.h"

namespace rill {
namespace {

std::int64_t padded_dim(std::int64_t dim, std::int64_t before, std::int64_t after) {
  require(before >= 0 && after >= 0, "Paddings must be non-negative: ", before, " ", after);
  if (dim < 0) return kUnknownDim;
  const bool overflow =
      __builtin_add_overflow(dim, before, &dim) || __builtin_add_overflow(dim, after, &dim);
  require(!overflow, "the padded dimension is too large");
  return dim;
}

}  // namespace

Shapes pad_shape(const ShapeCtx& c) {
  const PartialShape &input = c.input(0), &paddings = c.input(1);
  if (c.input_count() > 2)
    require(!c.input(2).has_rank() || c.input(2).rank() == 0,
            "constant_values must be a scalar. Found: ", c.input(2));
  require(!paddings.has_rank() || (paddings.rank() == 2 && compatible(paddings.dim(1), 2)),
          "paddings must be a matrix with 2 columns: ", paddings);
  const std::int64_t pairs = paddings.has_rank() ? paddings.dim(0) : kUnknownDim;
  require(
      !input.has_rank() || compatible(input.rank(), pairs),
      when_run("The first dimension of paddings must be the rank of inputs", paddings, " ", input),
      when_built("Shape must be rank ", pairs, " but is rank ", input.rank()));
  const std::int64_t rank = merge_dim(input.rank(), pairs);
  if (rank < 0 || rank > kMaxRank) return {PartialShape()};
  const Tensor* values = c.value(1);
  if (values == nullptr) return {PartialShape::of_rank(static_cast<int>(rank))};
  PartialShape out = PartialShape::scalar();
  for (int d = 0; d < rank; ++d)
    out.add_dim(padded_dim(input.has_rank() ? input.dim(d) : kUnknownDim, int_at(*values, 2 * d),
                           int_at(*values, 2 * d + 1)));
  return {out};
}

}  // namespace rill
