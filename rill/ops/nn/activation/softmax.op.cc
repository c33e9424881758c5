#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes softmax_shape(const ShapeCtx& c) { return {c.with_rank_at_least(0, 1)}; }

Output row_sums(GradCtx& g, Output x) {
  return g.add("Sum", {x, Tensor::scalar<std::int32_t>(-1)}, {{"keep_dims", true}});
}

void softmax_grad(GradCtx& g) {
  const Output y = g.output(), dy = g.dy();
  const Output sums = row_sums(g, mul(g, dy, y));
  g.set(0, mul(g, sub(g, dy, sums), y));
}

void log_softmax_grad(GradCtx& g) {
  const Output p = g.add("Exp", {g.output()});
  const Output sums = row_sums(g, g.dy());
  g.set(0, sub(g, g.dy(), mul(g, sums, p)));
}

}  // namespace

extern constexpr OpDecl kSoftmax{
    .name = "Softmax",
    .doc = "exp(x) over its sum, for each row of the last dimension.",
    .inputs = {"logits: T"},
    .outputs = {"softmax: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = softmax_shape,
    .cost = per_input<kTranscendental + 4>,
    .grad = softmax_grad,
};
static_assert(well_formed(kSoftmax));

extern constexpr OpDecl kLogSoftmax{
    .name = "LogSoftmax",
    .doc = "The logarithm of Softmax, computed without loss for small probabilities.",
    .inputs = {"logits: T"},
    .outputs = {"logsoftmax: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = softmax_shape,
    .cost = per_input<kTranscendental + 4>,
    .grad = log_softmax_grad,
};
static_assert(well_formed(kLogSoftmax));

}  // namespace rill
