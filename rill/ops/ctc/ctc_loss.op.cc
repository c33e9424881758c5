#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes ctc_loss_shape(const ShapeCtx& c) {
  require(!c.input(0).has_rank() || c.input(0).rank() == 3, when_run("inputs is not a 3-Tensor"),
          when_built("Shape must be rank 3 but is rank ", c.input(0).rank()));
  PartialShape inputs = c.with_rank(0, 3);
  const PartialShape indices = c.with_rank(1, 2), values = c.vector(2), lengths = c.vector(3);
  require(compatible(indices.dim(0), values.dim(0)),
          when_run("labels_indices and labels_values must contain the same number of rows, but ",
                   "saw shapes: ", indices, " vs. ", values),
          when_built("Dimensions must be equal, but are ", indices.dim(0), " and ", values.dim(0)));
  require(compatible(indices.dim(1), 2),
          "labels_indices must have 2 columns: Order length must be ",
          "SparseTensor rank, but their shape is ", indices);
  require(compatible(inputs.dim(1), lengths.dim(0)),
          when_run("len(sequence_length) != batch_size.  len(sequence_length):  ", lengths.dim(0),
                   " batch_size: ", inputs.dim(1)),
          when_built("Dimensions must be equal, but are ", inputs.dim(1), " and ", lengths.dim(0)));
  const std::int64_t batch = merge_dim(inputs.dim(1), lengths.dim(0));
  return {{batch}, {inputs.dim(0), batch, inputs.dim(2)}};
}

// The second output is the gradient by the inputs; it cannot be differentiated itself.
void ctc_loss_grad(GradCtx& g) {
  const Output once = g.add(
      "PreventGradient", {g.output(1)},
      {{"message",
        "Currently there is no way to take the second  derivative of ctc_loss due to the fused "
        "implementation's interaction  with tf.gradients()"}});
  g.set(0, mul(g, expand_dims(g, g.dy(0), -1), once));
}

}  // namespace

extern constexpr OpDecl kCTCLoss{
    .name = "CTCLoss",
    .doc =
        "For each sequence of a batch, minus the logarithm of the probability that the inputs, "
        "logits by frame, sequence and class, spell the labels, and its gradient. The last class "
        "is the blank.",
    .inputs = {"inputs: T", "labels_indices: int64", "labels_values: int32",
               "sequence_length: int32"},
    .outputs = {"loss: T", "gradient: T"},
    .attrs = {"preprocess_collapse_repeated: bool = false", "ctc_merge_repeated: bool = true",
              "ignore_longer_outputs_than_inputs: bool = false", "T: {float, double} = DT_FLOAT"},
    .traits = kPure,
    .shape = ctc_loss_shape,
    .grad = ctc_loss_grad,
};
static_assert(well_formed(kCTCLoss));

}  // namespace rill
