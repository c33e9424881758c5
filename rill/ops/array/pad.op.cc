#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/index_values.h"
#include "rill/ops/array/shape_values.h"

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

Shapes pad_shape(const ShapeCtx& c) {
  const PartialShape &input = c.input(0), &paddings = c.input(1);
  if (c.input_count() > 2)
    require(!c.input(2).has_rank() || c.input(2).rank() == 0,
            "constant_values must be a scalar. Found: ", c.input(2));
  require(!paddings.has_rank() || (paddings.rank() == 2 && compatible(paddings.dim(1), 2)),
          "paddings must be a matrix with 2 columns: ", paddings);
  const std::int64_t pairs = paddings.has_rank() ? paddings.dim(0) : kUnknownDim;
  require(!input.has_rank() || compatible(input.rank(), pairs),
          "The first dimension of paddings must be the rank of inputs", paddings, " ", input);
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

void pad_grad(GradCtx& g) {
  const Output x = g.input(0), paddings = g.input(1);
  const Output rank = rank_of(g, x);
  const Output column = column_shape(g, rank);
  const Output before =
      g.add("Slice", {paddings, int_vector(std::vector<std::int64_t>{0, 0}), column});
  const Output begin = reshape(g, before, Tensor::vector<std::int32_t>({-1}));
  const Output sizes = shape_of(g, x, base_type(begin.dtype()));
  g.set(0, g.add("Slice", {g.dy(), begin, sizes}));
}

}  // namespace

extern constexpr OpDecl kPad{
    .name = "Pad",
    .doc = "Surrounds a tensor with zeros: paddings[d] is how many before and after dimension d.",
    .inputs = {"input: T", "paddings: Tpaddings"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tpaddings: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = pad_shape,
    .grad = pad_grad,
};
static_assert(well_formed(kPad));

extern constexpr OpDecl kPadV2{
    .name = "PadV2",
    .doc = "Surrounds a tensor with `constant_values`.",
    .inputs = {"input: T", "paddings: Tpaddings", "constant_values: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tpaddings: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = pad_shape,
    .grad = pad_grad,
};
static_assert(well_formed(kPadV2));

}  // namespace rill
