#include "rill/api/losses/cross_entropy.h"

#include <optional>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"

namespace rill::losses {
namespace {

DType type_of(Output x) { return base_type(x.dtype()); }

// Halves are too coarse for the sums inside.
Output precise(Output x) {
  const bool half = type_of(x) == DType::f16 || type_of(x) == DType::bf16;
  return half ? cast(x, DType::f32) : x;
}

PartialShape without_last_dim(const PartialShape& shape) {
  if (!shape.has_rank()) return {};
  PartialShape outer = PartialShape::scalar();
  for (int i = 0; i + 1 < shape.rank(); ++i) outer = outer.with_dim(i, shape[i]);
  return outer;
}

// As a matrix whose rows are the last dimension.
Output flat(Output x) {
  const Output dimensions = rank(x);
  const Output dims = shape(x);
  const Output last = raw::Slice(dims, parts::list_of({raw::Sub(dimensions, 1)}), parts::ints({1}));
  const Output rows = concat({parts::ints({-1}), last}, 0);
  const Output result = raw::Reshape(x, rows);
  const PartialShape& known = x.shape();
  if (!known.has_rank() || known.rank() == 0) return result;
  std::int64_t count = 1;
  for (int i = 0; i + 1 < known.rank(); ++i)
    count = count < 0 || known[i] < 0 ? kUnknownDim : count * known[i];
  result.node->graph().refine_shape(result, PartialShape{count, known[known.rank() - 1]});
  return result;
}

void check_ranks(const PartialShape& labels, const PartialShape& logits) {
  require(!logits.has_rank() || logits.rank() > 0, "Logits cannot be scalars - received shape ",
          shape_text(logits), ".");
  if (!labels.has_rank() || !logits.has_rank()) return;
  require(labels.rank() == logits.rank() - 1, "Rank mismatch: Rank of labels (received ",
          labels.rank(), ") should equal rank of logits minus 1 (received ", logits.rank(), ").");
  const PartialShape outer = without_last_dim(logits);
  require(!labels.is_full() || !outer.is_full() || labels == outer,
          "Shape mismatch: The shape of labels (received ", shape_text(labels),
          ") should equal the shape of logits except for the last dimension (received ",
          shape_text(logits), ").");
}

Output sparse_op(Output logits, Output labels, const std::string& name) {
  return raw::SparseSoftmaxCrossEntropyWithLogits(logits, labels, {.name = name}).loss;
}

}  // namespace

Output sigmoid_xentropy(Output labels, Output logits, const std::string& name) {
  const Block in(name, "logistic_loss", {});
  require(labels.shape().is_compatible(logits.shape()),
          "logits and labels must have the same shape (", shape_text(logits.shape()), " vs ",
          shape_text(labels.shape()), ")");
  const Output zeros = zeros_like(logits);
  const Output is_positive = raw::GreaterEqual(logits, zeros);
  const Output positive = raw::Select(is_positive, logits, zeros);
  const Output minus_size = raw::Select(is_positive, operators::negative(logits, {}), logits);
  const Output shared = operators::sub(positive, operators::mul(logits, labels, {}), {});
  return add(shared, raw::Log1p(raw::Exp(minus_size)), {.name = in.own_name()});
}

Output softmax_xentropy(Output given_labels, Output given_logits, const std::string& name) {
  const Block in(name, "softmax_cross_entropy_with_logits", {});
  const Output logits = precise(given_logits);
  const Output labels = cast(given_labels, type_of(logits));
  const Output dimensions = rank(logits);
  const Output dims = shape(logits);
  const Output rows = flat(logits);
  const Output cost =
      raw::SoftmaxCrossEntropyWithLogits(rows, flat(labels), {.name = in.own_name()}).loss;
  const Output outer =
      raw::Slice(dims, parts::ints({0}), parts::list_of({raw::Sub(dimensions, 1)}));
  const Output result = raw::Reshape(cost, outer);
  result.node->graph().refine_shape(result, without_last_dim(given_logits.shape()));
  return cast(result, type_of(given_logits));
}

Output sparse_xentropy(Output labels, Output logits, const std::string& name) {
  const Block in(name, "SparseSoftmaxCrossEntropyWithLogits", {});
  const Output wide = precise(logits);
  const PartialShape known = labels.shape();
  const Output dims = shape(labels);
  check_ranks(known, logits.shape());
  if (logits.shape().rank() == 2) return cast(sparse_op(wide, labels, name), type_of(logits));
  std::optional<ControlDependencies> wait;
  if (!known.is_full() || !without_last_dim(logits.shape()).is_full()) {
    const Output given = shape(labels);
    const Output wanted = slice(shape(logits), {SliceRange{.stop = -1}});
    Node* const check = &debugging::assert_equal(given, wanted);
    wait.emplace(std::span(&check, 1));
  }
  const Output last = shape(logits);
  const Output index = operators::sub(rank(logits), 1, {});
  const Output rows = raw::Reshape(wide, parts::list_of({-1, slice(last, {Input(index)})}));
  const Output cost = sparse_op(rows, raw::Reshape(labels, parts::ints({-1})), name);
  const Output result = raw::Reshape(cost, dims);
  result.node->graph().refine_shape(result, known);
  return cast(result, type_of(logits));
}

}  // namespace rill::losses
