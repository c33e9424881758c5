#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes softmax_shape(const ShapeCtx& c) { return {c.with_rank_at_least(0, 1)}; }

}  // namespace

extern constexpr OpDecl kSoftmax{
    .name = "Softmax",
    .doc = "exp(x) over its sum, for each row of the last dimension.",
    .inputs = {"logits: T"},
    .outputs = {"softmax: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = softmax_shape,
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
};
static_assert(well_formed(kLogSoftmax));

}  // namespace rill
