#include "rill/ops/math/segment/segment_grad.h"

namespace rill {
namespace {

// Repeats what is true of rows for each of their elements.
Output true_like(GradCtx& g, Output x) {
  Scope inner = g.scope().named("ones_like");
  const Output shape = shape_of(inner, x);
  return fill(g.scope(), shape, inner.constant(Tensor::scalar(true), "Const"), inner.name() + "/");
}

}  // namespace

Output ones_of_shape(GradCtx& g, Output shape, DType type) {
  Scope inner = g.scope().named("ones");
  const Output one = Input(1).as_output(inner, "Const", base_type(type));
  return fill(g.scope(), shape, one, inner.name() + "/");
}

KeptRows gather_kept(GradCtx& g, Output params, Output ids, Output places, Output kept) {
  if (places.node == nullptr) places = g.add("Maximum", {ids, zeros_like(g, ids)});
  const Output rows = gather(g, params, places);
  if (kept.node == nullptr) {
    kept = g.add("GreaterEqual", {ids, 0});
    const Output kept_shape = shape_of(g, kept);
    const Output more = sub(g, rank_of(g, rows), rank_of(g, kept));
    Scope inner = g.scope().named("ones");
    const Output count = inner.add("Pack", {std::vector<Input>{more}}, {}, "packed").output();
    const Output one = inner.constant(Tensor::scalar<std::int32_t>(1), "Const");
    const Output ones = fill(g.scope(), count, one, inner.name() + "/");
    kept = reshape(g, kept, concat(g, {kept_shape, ones}));
    kept = g.add("LogicalAnd", {kept, true_like(g, rows)}, {}, "and");
  }
  return {g.add("SelectV2", {kept, rows, zeros_like(g, rows)}), places, kept};
}

}  // namespace rill
