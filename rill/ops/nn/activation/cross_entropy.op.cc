#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes dense_shape(const ShapeCtx& c) {
  const PartialShape& features = c.input(0);
  const PartialShape& labels = c.input(1);
  PartialShape both;
  try {
    both = broadcast_together(features, labels);
  } catch (const Refusal& refusal) {
    require(false,
            when_run("logits and labels must be broadcastable: logits_size=", features,
                     " labels_size=", labels),
            when_built(refusal.when_built()));
  }
  if (!both.has_rank()) return {{kUnknownDim}, {kUnknownDim, kUnknownDim}};
  require(both.rank() == 2,
          when_run("logits and labels must be either 2-dimensional, or broadcasted to be ",
                   "2-dimensional"),
          when_built("Shape must be rank 2 but is rank ", both.rank()));
  return {{both.dim(0)}, both};
}

Shapes sparse_shape(const ShapeCtx& c) {
  const PartialShape& logits = c.input(0);
  const PartialShape& labels = c.input(1);
  require(!logits.has_rank() || logits.rank() == 2,
          when_run("logits must be 2-D, but got shape ", logits),
          when_built("Shape must be rank 2 but is rank ", logits.rank()));
  require(!labels.has_rank() || labels.rank() == 1,
          when_run("labels must be 1-D, but got shape ", labels),
          when_built("Shape must be rank 1 but is rank ", labels.rank()));
  const std::int64_t rows = logits.has_rank() ? logits.dim(0) : kUnknownDim;
  const std::int64_t given = labels.has_rank() ? labels.dim(0) : kUnknownDim;
  require(compatible(rows, given),
          when_run("logits and labels must have the same first dimension, got logits shape ",
                   logits, " and labels shape ", labels),
          when_built("Dimensions must be equal, but are ", rows, " and ", given));
  const std::int64_t count = merge_dim(rows, given);
  return {{count}, {count, logits.has_rank() ? logits.dim(1) : kUnknownDim}};
}

Output rows_times(GradCtx& g, Output weights, Output rows) {
  return mul(g, expand_dims(g, weights, -1), rows);
}

// The second output is the gradient by the logits already; when something arrives at it, the
// gradient is differentiated once more: (d - <d, p>) * p with p = softmax.
Output by_logits(GradCtx& g) {
  const Output first = rows_times(g, g.dy(0), g.output(1));
  const Output d = g.dy(1);
  if (d.node->op().name == "ZerosLike") return first;
  const Output p = g.add("Softmax", {g.input(0)});
  const Output row = expand_dims(g, d, 1);
  const Output column = expand_dims(g, p, 2);
  const Output product = g.add("BatchMatMulV2", {row, column}, {}, "MatMul");
  const Output dot = g.add("Squeeze", {product}, {{"squeeze_dims", std::vector<std::int64_t>{1}}});
  return add(g, first, mul(g, sub(g, d, dot), p));
}

void dense_grad(GradCtx& g) {
  const Output gradient = by_logits(g);
  const Output log = g.add("LogSoftmax", {g.input(0)});
  g.set(0, gradient);
  g.set(1, rows_times(g, g.dy(0), neg(g, log)));
}

void sparse_grad(GradCtx& g) { g.set(0, by_logits(g)); }

}  // namespace

extern constexpr OpDecl kSoftmaxCrossEntropyWithLogits{
    .name = "SoftmaxCrossEntropyWithLogits",
    .doc =
        "For each row, the cross entropy between the labels, which are probabilities, and the "
        "softmax of the features, and its gradient. Rows and columns broadcast.",
    .inputs = {"features: T", "labels: T"},
    .outputs = {"loss: T", "backprop: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure,
    .shape = dense_shape,
    .cost = per_input<kTranscendental + 8>,
    .grad = dense_grad,
};
static_assert(well_formed(kSoftmaxCrossEntropyWithLogits));

extern constexpr OpDecl kSparseSoftmaxCrossEntropyWithLogits{
    .name = "SparseSoftmaxCrossEntropyWithLogits",
    .doc =
        "For each row, the cross entropy between the labelled class and the softmax of the "
        "features, and its gradient.",
    .inputs = {"features: T", "labels: Tlabels"},
    .outputs = {"loss: T", "backprop: T"},
    .attrs = {"T: {half, bfloat16, float, double}", "Tlabels: {int32, int64} = DT_INT64"},
    .traits = kPure,
    .shape = sparse_shape,
    .cost = per_input<kTranscendental + 6>,
    .grad = sparse_grad,
};
static_assert(well_formed(kSparseSoftmaxCrossEntropyWithLogits));

}  // namespace rill
