#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"

namespace rill::keras::backend {

using namespace parts;

namespace {

// What `op` was applied to, where it made the predictions.
std::optional<Output> before(Output predictions, std::string_view op) {
  const Node* node = predictions.node;
  if (node->is_executed()) return {};  // a value does not say where it comes from
  while (node->op().name == "Identity") node = node->input(0).node;
  if (node->op().name != op) return {};
  return node->input(0);
}

Output clipped(Output x) { return clip_by_value(x, epsilon(), 1.0 - epsilon()); }

// The tensor with the classes along its last axis.
Output classes_last(Output x, int axis) {
  const int rank = x.shape().rank();
  if (rank < 0 || canonical_axis(axis, rank) == rank - 1) return x;
  std::vector<std::int64_t> order;
  for (int i = 0; i < rank; ++i)
    if (i != canonical_axis(axis, rank)) order.push_back(i);
  order.push_back(canonical_axis(axis, rank));
  return permuted(x, order);
}

// x without its last axis in all but the shape.
Output rows_of(Output x) {
  const int rank = x.shape().rank();
  return rank == 2 ? x : reshape_to(x, {-1, dim_of(x, rank - 1)});
}
std::vector<Input> outer_sizes(Output x) {
  std::vector<Input> sizes;
  for (int i = 0; i + 1 < x.shape().rank(); ++i) sizes.push_back(dim_of(x, i));
  return sizes;
}

Output of_logits(Output target, Output logits, int axis) {
  const Output scores = classes_last(logits, axis), labels = classes_last(target, axis);
  if (scores.shape().rank() <= 2) return raw::SoftmaxCrossEntropyWithLogits(scores, labels).loss;
  const Output loss = raw::SoftmaxCrossEntropyWithLogits(rows_of(scores), rows_of(labels)).loss;
  return reshape_to(loss, outer_sizes(scores));
}

Output sigmoid_crossentropy(Output labels, Output logits) {
  const Block in("", "logistic_loss", {});
  const Output above = raw::GreaterEqual(logits, zeros_like(logits));
  const Output positive = where(above, logits, zeros_like(logits));
  const Output negative = where(above, -logits, logits);
  return (positive - logits * labels) + raw::Log1p(raw::Exp(negative));
}

}  // namespace

Output categorical_crossentropy(const Input& target_in, const Input& output_in,
                                const CrossentropyOptions& o, std::source_location at) {
  const MadeAt place(at);
  const Output target = tensor(target_in), output = tensor(output_in);
  if (o.from_logits) return of_logits(target, output, o.axis);
  if (const auto logits = before(output, "Softmax"); logits && o.axis == -1)
    return of_logits(target, *logits, o.axis);
  const Output share = output / reduce_sum(output, {.axis = Input(o.axis), .keepdims = true});
  return -reduce_sum(target * raw::Log(clipped(share)), {.axis = Input(o.axis)});
}

Output sparse_categorical_crossentropy(const Input& target_in, const Input& output_in,
                                       const CrossentropyOptions& o, std::source_location at) {
  const MadeAt place(at);
  const Output target = tensor(target_in);
  Output output = tensor(output_in);
  if (!o.from_logits) {
    const auto logits = before(output, "Softmax");
    output = logits ? *logits : raw::Log(clipped(output));
  }
  output = classes_last(output, o.axis);
  const Output labels = rill::cast(target, DType::i64);
  const int rank = output.shape().rank();
  const Output flat_labels = target.shape().rank() == 1 ? labels : reshape_to(labels, {-1});
  const Output loss = raw::SparseSoftmaxCrossEntropyWithLogits(rows_of(output), flat_labels).loss;
  return rank <= 2 ? loss : reshape_to(loss, outer_sizes(output));
}

Output binary_crossentropy(const Input& target_in, const Input& output_in, bool from_logits,
                           std::source_location at) {
  const MadeAt place(at);
  const Output target = tensor(target_in), output = tensor(output_in);
  if (from_logits) return sigmoid_crossentropy(target, output);
  if (const auto logits = before(output, "Sigmoid")) return sigmoid_crossentropy(target, *logits);
  const Output share = clipped(output);
  const Output hit = target * raw::Log(share + epsilon());
  const Output miss = (1.0 - target) * raw::Log((1.0 - share) + epsilon());
  return -(hit + miss);
}

}  // namespace rill::keras::backend
