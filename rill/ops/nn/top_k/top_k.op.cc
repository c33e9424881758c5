#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

PartialShape with_last(const PartialShape& input, std::int64_t k) {
  if (!input.has_rank()) return {};
  const std::int64_t last = input.dim(input.rank() - 1);
  require(last < 0 || k < 0 || last >= k, "input must have last dimension >= k = ", k, " but is ",
          last);
  return input.with_dim(input.rank() - 1, k);
}

Shapes top_k_shape(const ShapeCtx& c) {
  const PartialShape input = c.with_rank_at_least(0, 1);
  std::int64_t k = kUnknownDim;
  if (c.input_count() == 1) {
    k = c.attr<std::int64_t>("k");
  } else {
    const PartialShape& count = c.input(1);
    require(!count.has_rank() || count.rank() == 0, when_run("k must be scalar, got shape ", count),
            when_built("Input must be scalar but has rank ", count.rank()));
    if (c.int_value(1, &k))
      require(
          k >= 0, when_run("Need k >= 0, got ", k),
          when_built("Dimension size, given by scalar input 1, must be non-negative but is ", k));
  }
  const PartialShape out = with_last(input, k);
  return {out, out};
}

Shapes in_top_k_shape(const ShapeCtx& c) {
  const PartialShape predictions = c.with_rank(0, 2), targets = c.vector(1);
  const std::int64_t rows = predictions.dim(0), count = targets.dim(0);
  require(compatible(rows, count), "Dimensions must be equal, but are ", rows, " and ", count);
  return {{merge_dim(rows, count)}};
}

Shapes nth_element_shape(const ShapeCtx& c) {
  const PartialShape input = c.with_rank_at_least(0, 1);
  (void)c.scalar(1);
  std::int64_t n = 0;
  if (c.int_value(1, &n)) {
    require(n >= 0, "n must be non-negative, got ", n);
    if (input.has_rank() && input.dim(input.rank() - 1) >= 0)
      require(input.dim(input.rank() - 1) > n, "Input must have last dimension > n = ", n,
              " but is ", input.dim(input.rank() - 1));
  }
  if (!input.has_rank()) return {PartialShape()};
  return {PartialShape(input.dims().first(static_cast<std::size_t>(input.rank() - 1)))};
}

// The last of the dimensions in `shape`, as int64.
Output last_dim(GradCtx& g, Output shape) {
  const Output wide = cast(g, shape, DType::i64);
  return gather(g, wide, sub(g, size_of(g, shape), 1));
}

// Each gradient goes to the place its value came from.
void top_k_grad(GradCtx& g) {
  const Output in_shape = shape_of(g, g.input(0)), place_shape = shape_of(g, g.output(1));
  const Output k = last_dim(g, place_shape);
  const Output rows =
      g.add("Pack", {std::vector<Input>{Tensor::scalar<std::int64_t>(-1), k}}, {}, "stack");
  const Output places = reshape(g, g.output(1), rows);
  const Output width = last_dim(g, in_shape);
  const Output count = slice_vector(g, shape_of(g, places), 0, 1, true);
  const Output total = mul(g, cast(g, count, DType::i64), width);
  const Output starts =
      range(g, g.scope().constant(Tensor::scalar<std::int64_t>(0), "range/start"), total, width);
  const Output shifted = add(g, places, cast(g, expand_dims(g, starts, -1), DType::i32));
  const Output flat = reshape(g, shifted, Tensor::vector<std::int32_t>({-1}));
  const Output indices = expand_dims(g, flat, -1);
  const Output dy = reshape(g, g.dy(0), Tensor::vector<std::int32_t>({-1}));
  const Output size =
      g.add("Pack", {std::vector<Input>{prod_of_vector(g, in_shape)}}, {}, "ScatterNd/shape");
  g.set(0, reshape(g, g.add("ScatterNd", {indices, dy, size}), in_shape));
}

// Elements that equal the one that was chosen share its gradient.
void nth_element_grad(GradCtx& g) {
  const Output chosen = expand_dims(g, g.output(), -1);
  const Output dy = expand_dims(g, g.dy(), -1);
  const Output equal = cast(g, g.add("Equal", {chosen, g.input(0)}), base_type(dy.dtype()));
  const Output count = expand_dims(g, g.add("Sum", {equal, Tensor::scalar<std::int32_t>(-1)}), -1);
  g.set(0, mul(g, g.add("RealDiv", {equal, count}), dy));
}

}  // namespace

extern constexpr OpDecl kTopKV2{
    .name = "TopKV2",
    .doc = "The k largest elements of each row and where they are; the first of equal ones first.",
    .inputs = {"input: T", "k: int32"},
    .outputs = {"values: T", "indices: int32"},
    .attrs =
        {"sorted: bool = true",
         "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, "
         "uint64}"},
    .traits = kPure,
    .shape = top_k_shape,
    .grad = top_k_grad,
};
static_assert(well_formed(kTopKV2));

extern constexpr OpDecl kTopK{
    .name = "TopK",
    .doc = "TopKV2 with k as an attribute.",
    .inputs = {"input: T"},
    .outputs = {"values: T", "indices: int32"},
    .attrs =
        {"k: int >= 0", "sorted: bool = true",
         "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, "
         "uint64}"},
    .traits = kPure,
    .shape = top_k_shape,
    .grad = top_k_grad,
    .deprecated = 7,
    .deprecated_why = "Use TopKV2 instead",
};
static_assert(well_formed(kTopK));

extern constexpr OpDecl kInTopK{
    .name = "InTopK",
    .doc = "Whether the prediction for each row's target is among the k largest of the row.",
    .inputs = {"predictions: float", "targets: T"},
    .outputs = {"precision: bool"},
    .attrs = {"k: int", "T: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = in_top_k_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kInTopK));

extern constexpr OpDecl kInTopKV2{
    .name = "InTopKV2",
    .doc = "InTopK with k as an input.",
    .inputs = {"predictions: float", "targets: T", "k: T"},
    .outputs = {"precision: bool"},
    .attrs = {"T: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = in_top_k_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kInTopKV2));

extern constexpr OpDecl kNthElement{
    .name = "NthElement",
    .doc = "The element that would be at place n of each row if the row were sorted.",
    .inputs = {"input: T", "n: int32"},
    .outputs = {"values: T"},
    .attrs =
        {"reverse: bool = false",
         "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, "
         "uint64}"},
    .traits = kPure,
    .shape = nth_element_shape,
    .grad = nth_element_grad,
};
static_assert(well_formed(kNthElement));

}  // namespace rill
