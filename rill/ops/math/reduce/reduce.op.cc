#include <algorithm>

#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/run_time_error.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/math/reduce/reduction_axes.h"

namespace rill {
namespace {

// The axes are input 1. Without their value only the rank may be known, and that only when
// dimensions are kept.
Shapes reduction_shape(const ShapeCtx& c) {
  const PartialShape& axes_shape = c.input(1);
  require(!axes_shape.has_rank() || axes_shape.rank() <= 1,
          "Shape must be at most rank 1 but is rank ", axes_shape.rank(), " for reduction indices");
  const PartialShape& input = c.input(0);
  const bool keep_dims = c.flag("keep_dims");
  if (!input.has_rank()) return {PartialShape()};
  std::vector<std::int64_t> axes;
  if (!c.int_values(1, &axes))
    return {keep_dims ? PartialShape::of_rank(input.rank()) : PartialShape()};
  std::vector<bool> reduced(static_cast<std::size_t>(input.rank()), false);
  int repeated = -1;
  for (const std::int64_t axis : axes) {
    const auto one = reduced_dims({&axis, 1}, input.rank());
    const auto at = static_cast<std::size_t>(std::ranges::find(one, true) - one.begin());
    if (reduced[at]) repeated = static_cast<int>(at);
    reduced[at] = true;
  }
  PartialShape output = PartialShape::scalar();
  for (int i = 0; i < input.rank(); ++i) {
    const bool is_reduced = reduced[static_cast<std::size_t>(i)];
    if (!is_reduced || keep_dims) output.add_dim(is_reduced ? 1 : input.dim(i));
  }
  require_when_run(repeated < 0, {output},
                   "Invalid reduction arguments: Axes contains duplicate dimension: ", repeated);
  return {output};
}

bool reduces_all(Output x, Output axes) {
  const Tensor* known = constant_value(axes);
  if (!x.shape().has_rank() || known == nullptr || known->element_count() != x.shape().rank())
    return false;
  for (std::int64_t i = 0; i < known->element_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if ((known->dtype() == DType::i64 ? known->flat<std::int64_t>()[at]
                                      : known->flat<std::int32_t>()[at]) != i)
      return false;
  }
  return known->rank() == 1;
}

// The gradient of a sum: dy repeated along what was summed.
Output spread(GradCtx& g, Output x, Output axes, Output dy) {
  if (reduces_all(x, axes)) {
    const std::vector<std::int64_t> ones(static_cast<std::size_t>(x.shape().rank()), 1);
    const Output kept = reshape(g, dy, int_vector(ones));
    const Output shape = x.shape().is_full()
                             ? g.scope().constant(int_vector(x.shape().dims()), "Const")
                             : shape_of(g, x);
    return g.add("Tile", {kept, shape});
  }
  const Output shape = shape_of(g, x);
  const Input kept = reduced_shape(g, shape, axes);
  const Output times = repeats(g, shape, kept);
  return g.add("Tile", {reshape(g, dy, kept), times});
}

void sum_grad(GradCtx& g) { g.set(0, spread(g, g.input(0), g.input(1), g.dy())); }

void mean_grad(GradCtx& g) {
  const Output sum = spread(g, g.input(0), g.input(1), g.dy());
  const PartialShape &in = g.input(0).shape(), &out = g.output().shape();
  Output factor;
  if (in.is_full() && out.is_full()) {
    const auto count = in.element_count() / std::max<std::int64_t>(out.element_count(), 1);
    factor = number(g, static_cast<double>(count), sum.dtype());
  } else {
    const Output in_shape = shape_of(g, g.input(0));
    const Output out_shape = shape_of(g, g.output());
    const Output before = prod_of_vector(g, in_shape);
    const Output after = prod_of_vector(g, out_shape);
    factor = repeats(g, before, after);
  }
  g.set(0, truediv(g, sum, cast(g, factor, base_type(sum.dtype()))));
}

// Elements that are the extremum share its gradient.
void extremum_grad(GradCtx& g) {
  const Output x = g.input(0), axes = g.input(1);
  const Output shape = shape_of(g, x);
  const Input kept = reduced_shape(g, shape, axes);
  const Output y = reshape(g, g.output(), kept);
  const Output dy = reshape(g, g.dy(), kept);
  const Output chosen = cast(g, g.add("Equal", {y, x}), base_type(dy.dtype()));
  const Output count = reshape(g, g.add("Sum", {chosen, axes}), kept);
  g.set(0, mul(g, g.add("RealDiv", {chosen, count}, {}, "truediv"), dy));
}

// The product of all others, found as that of those before times that of those after. All reduced
// dimensions come first and become one for it.
void prod_grad(GradCtx& g) {
  const Output x = g.input(0);
  const Output shape = shape_of(g, x);
  const Output axes = reshape(g, g.input(1), Tensor::vector<std::int32_t>({-1}));
  const Input kept = reduced_shape(g, shape, g.input(1));
  const Output times = repeats(g, shape, kept);
  const Output dy = g.add("Tile", {reshape(g, g.dy(), kept), times});
  const Output rank = rank_of(g, x);
  const Output reduced = floormod(g, add(g, cast(g, axes, DType::i32), rank), rank);
  const Output all = range(g, 0, rank, 1);
  const Output others = g.add("ListDiff", {all, reduced});
  const Output perm = concat(g, {reduced, others});
  const Output reduced_count = prod_of_vector(g, gather(g, shape, reduced));
  const Output other_count = prod_of_vector(g, gather(g, shape, others));
  const Output permuted = transpose(g, x, perm);
  const Output permuted_shape = shape_of(g, permuted);
  Scope inner = g.scope().named("Reshape");
  const Output flat_shape =
      inner.add("Pack", {std::vector<Input>{reduced_count, other_count}}, {}, "shape").output();
  const Output flat = g.add("Reshape", {permuted, flat_shape}, {}, inner.name() + "/");
  const Output left = g.add("Cumprod", {flat, 0}, {{"exclusive", true}});
  const Output right = g.add("Cumprod", {flat, 0}, {{"exclusive", true}, {"reverse", true}});
  const Output y = reshape(g, mul(g, conj(g, left), conj(g, right)), permuted_shape);
  const Output back = transpose(g, y, g.add("InvertPermutation", {perm}));
  g.set(0, reshape(g, mul(g, dy, back), shape));
}

}  // namespace

extern constexpr OpDecl kSum{
    .name = "Sum",
    .doc = "The sum of the elements over the given axes; of none, 0.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
    .cost = per_input<1>,
    .grad = sum_grad,
};
static_assert(well_formed(kSum));

extern constexpr OpDecl kMean{
    .name = "Mean",
    .doc = "The mean of the elements over the given axes; integers round towards zero.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
    .cost = per_input<1>,
    .grad = mean_grad,
};
static_assert(well_formed(kMean));

extern constexpr OpDecl kProd{
    .name = "Prod",
    .doc = "The product of the elements over the given axes; of none, 1.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
    .cost = per_input<1>,
    .grad = prod_grad,
};
static_assert(well_formed(kProd));

extern constexpr OpDecl kMax{
    .name = "Max",
    .doc = "The largest element over the given axes; NaN when there is one.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
    .cost = per_input<1>,
    .grad = extremum_grad,
};
static_assert(well_formed(kMax));

extern constexpr OpDecl kMin{
    .name = "Min",
    .doc = "The smallest element over the given axes; NaN when there is one.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
    .cost = per_input<1>,
    .grad = extremum_grad,
};
static_assert(well_formed(kMin));

extern constexpr OpDecl kEuclideanNorm{
    .name = "EuclideanNorm",
    .doc = "The square root of the sum of the squared magnitudes over the given axes.",
    .inputs = {"input: T", "reduction_indices: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"keep_dims: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kEuclideanNorm));

extern constexpr OpDecl kAll{
    .name = "All",
    .doc = "Whether all elements over the given axes are true.",
    .inputs = {"input: bool", "reduction_indices: Tidx"},
    .outputs = {"output: bool"},
    .attrs = {"keep_dims: bool = false", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kAll));

extern constexpr OpDecl kAny{
    .name = "Any",
    .doc = "Whether any element over the given axes is true.",
    .inputs = {"input: bool", "reduction_indices: Tidx"},
    .outputs = {"output: bool"},
    .attrs = {"keep_dims: bool = false", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = reduction_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kAny));

}  // namespace rill
