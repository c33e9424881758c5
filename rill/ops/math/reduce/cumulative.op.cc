#include <limits>

#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/run_time_error.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes scan_shape(const ShapeCtx& c) {
  const PartialShape& x = c.input(0);
  std::int64_t axis = 0;
  require(c.input(1).is_compatible(PartialShape::scalar()), "ScanOp: axis must be a scalar, not ",
          c.input(1));
  if (x.has_rank() && c.int_value(1, &axis))
    require_when_run(axis >= -x.rank() && axis < x.rank(), {x},
                     "ScanOp: Expected scan axis in the range [", -x.rank(), ", ", x.rank(),
                     "), but got ", axis);
  return {x};
}

void cumsum_grad(GradCtx& g) {
  g.set(0,
        g.add("Cumsum", {g.dy(), g.input(1)},
              {{"exclusive", g.attr<bool>("exclusive")}, {"reverse", !g.attr<bool>("reverse")}}));
}

void cumprod_grad(GradCtx& g) {
  const bool exclusive = g.attr<bool>("exclusive"), reverse = g.attr<bool>("reverse");
  const Output prod =
      g.add("Cumprod", {g.input(0), g.input(1)}, {{"exclusive", exclusive}, {"reverse", reverse}});
  const Output out = g.add("Cumsum", {mul(g, prod, g.dy()), g.input(1)},
                           {{"exclusive", exclusive}, {"reverse", !reverse}});
  g.set(0, truediv(g, out, g.input(0)));
}

// The logarithms of the parts of dy that have one, and the lowest number elsewhere.
Output log_where(GradCtx& g, const char* comparison, Output value) {
  const DType type = base_type(g.dy().dtype());
  const Output mask = g.add(comparison, {g.dy(), 0});
  const double lowest = type == DType::f16 ? -65504.0
                        : type == DType::f32
                            ? static_cast<double>(std::numeric_limits<float>::lowest())
                            : std::numeric_limits<double>::lowest();
  return g.add("SelectV2", {mask, g.add("Log", {value}), lowest});
}

// Sums of exp(x) * dy / exp(y) as logarithms, the positive and the negative ones apart.
void cumulative_logsumexp_grad(GradCtx& g) {
  const Output x = g.input(0), axis = g.input(1), y = g.output();
  const AttrMap attrs = {{"exclusive", g.attr<bool>("exclusive")},
                         {"reverse", !g.attr<bool>("reverse")}};
  const Output positive = log_where(g, "Greater", g.dy());
  const Output negative = log_where(g, "Less", neg(g, g.dy()));
  const auto summed = [&](Output logs) {
    const Output sum = g.add("CumulativeLogsumexp", {sub(g, logs, y), axis}, attrs);
    return g.add("Exp", {add(g, sum, x)});
  };
  const Output to_positive = summed(positive), to_negative = summed(negative);
  g.set(0, sub(g, to_positive, to_negative));
}

}  // namespace

extern constexpr OpDecl kCumsum{
    .name = "Cumsum",
    .doc =
        "Running sums along an axis; exclusive ones leave out the element itself, reverse ones "
        "start at the end.",
    .inputs = {"x: T", "axis: Tidx"},
    .outputs = {"out: T"},
    .attrs = {"exclusive: bool = false", "reverse: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = scan_shape,
    .cost = per_input<1>,
    .grad = cumsum_grad,
};
static_assert(well_formed(kCumsum));

extern constexpr OpDecl kCumprod{
    .name = "Cumprod",
    .doc =
        "Running products along an axis; exclusive ones leave out the element itself, reverse ones "
        "start at the end.",
    .inputs = {"x: T", "axis: Tidx"},
    .outputs = {"out: T"},
    .attrs = {"exclusive: bool = false", "reverse: bool = false",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = scan_shape,
    .grad = cumprod_grad,
};
static_assert(well_formed(kCumprod));

extern constexpr OpDecl kCumulativeLogsumexp{
    .name = "CumulativeLogsumexp",
    .doc =
        "The logarithms of running sums of exp(x) along an axis; exclusive ones leave out the "
        "element itself, reverse ones start at the end.",
    .inputs = {"x: T", "axis: Tidx"},
    .outputs = {"out: T"},
    .attrs = {"exclusive: bool = false", "reverse: bool = false", "T: {half, float, double}",
              "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = scan_shape,
    .grad = cumulative_logsumexp_grad,
};
static_assert(well_formed(kCumulativeLogsumexp));

}  // namespace rill
