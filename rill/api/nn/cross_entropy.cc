#include "rill/api/nn/cross_entropy.h"

#include <numbers>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/sequences.h"

namespace rill::nn {
namespace {

void require_same_shape(Output a, const char* a_name, Output b, const char* b_name) {
  require(a.shape().is_compatible(b.shape()), "`", a_name, "` and `", b_name,
          "` must have the same shape, received (", shape_text(a.shape()), " vs ",
          shape_text(b.shape()), ").");
}

struct Pair {
  Output labels, logits;
};
Pair logistic_pair(const Input& labels, const Input& logits) {
  const Output x = as_tensor(logits, "logits"), y = as_tensor(labels, "labels");
  require_same_shape(x, "logits", y, "labels");
  return {y, x};
}

}  // namespace

Output sigmoid_cross_entropy_with_logits(const Input& labels, const Input& logits,
                                         const LossOptions& options, std::source_location at) {
  const Block in(options.name, "logistic_loss", at);
  const auto [y, x] = logistic_pair(labels, logits);
  const Output zeros = zeros_like(x);
  const Output positive = raw::GreaterEqual(x, zeros);
  const Output above = where(positive, x, zeros);
  const Output minus_size = where(positive, raw::Neg(x), x);
  const Output linear = above - x * y;
  return add(linear, raw::Log1p(raw::Exp(minus_size)), {.name = in.own_name()});
}

namespace {

// pos_weight - 1: a number where it is one.
Input less_one(const Input& weight) {
  if (!weight.is_value()) return as_tensor(weight) - 1;
  const Tensor value = weight.value(DType::f64);
  if (value.shape().rank() == 0) return *value.data<double>() - 1;
  return as_tensor(weight) - 1;
}

}  // namespace

Output weighted_cross_entropy_with_logits(const Input& labels, const Input& logits,
                                          const Input& pos_weight, const LossOptions& options,
                                          std::source_location at) {
  const Block in(options.name, "logistic_loss", at);
  const auto [y, x] = logistic_pair(labels, logits);
  const Output weight = 1 + less_one(pos_weight) * y;
  const Output linear = (1 - y) * x;
  const Output log = raw::Log1p(raw::Exp(raw::Neg(abs(x))));
  const Output rest = weight * (log + raw::Relu(raw::Neg(x)));
  return add(linear, rest, {.name = in.own_name()});
}

namespace {

// All dimensions but the last as one.
Output flattened(Output x) {
  const Output dimensions = rank(x), sizes = shape(x);
  const Output last = raw::Sub(dimensions, 1);
  const Output classes = raw::Slice(sizes, parts::list_of({last}), parts::ints({1}));
  const Output result = raw::Reshape(x, concat({parts::ints({-1}), classes}, 0));
  const PartialShape known = x.shape();
  if (!known.has_rank() || known.rank() == 0) return result;
  std::int64_t rows = 1;
  for (int i = 0; i + 1 < known.rank(); ++i)
    rows = rows < 0 || known[i] < 0 ? kUnknownDim : rows * known[i];
  result.node->graph().refine_shape(result, {rows, known[known.rank() - 1]});
  return result;
}

Output moved_to_end(Output x, int axis, Output rank) {
  const Output before = range(axis), after = range(axis + 1, rank);
  return transpose(x, {.perm = concat({before, after, parts::ints({axis})}, 0)});
}

Output softmax_cross_entropy(const Input& labels, const Input& logits, int axis, const Block& in) {
  const Output given = as_tensor(logits, "logits"), targets = as_tensor(labels, "labels");
  const DType dtype = math_parts::type_of(given);
  const bool narrow = dtype == DType::f16 || dtype == DType::bf16;
  Output x = narrow ? cast(given, DType::f32) : given;
  Output y = cast(targets, math_parts::type_of(x));
  const Output rank = rill::rank(x);
  const PartialShape known = given.shape();
  if (axis != -1) {
    if (known.has_rank()) axis = canonical_axis(axis, known.rank());
    x = moved_to_end(x, axis, rank);
    y = moved_to_end(y, axis, rank);
  }
  const Output shape = rill::shape(x);
  const Output rows = flattened(x), label_rows = flattened(y);
  const Output loss =
      raw::SoftmaxCrossEntropyWithLogits(rows, label_rows, {.name = in.own_name()}).loss;
  const Output outer = raw::Slice(shape, parts::ints({0}), parts::list_of({raw::Sub(rank, 1)}));
  const Output cost = raw::Reshape(loss, outer);
  if (known.has_rank() && known.rank() > 0) {
    PartialShape result = PartialShape::scalar();
    const int classes = axis < 0 ? known.rank() - 1 : axis;
    for (int i = 0; i < known.rank(); ++i)
      if (i != classes) result.add_dim(known[i]);
    cost.node->graph().refine_shape(cost, result);
  }
  return narrow ? cast(cost, dtype) : cost;
}

}  // namespace

Output softmax_cross_entropy_with_logits_v2(const Input& labels, const Input& logits,
                                            const CrossEntropyOptions& options,
                                            std::source_location at) {
  const Block in(options.name, "softmax_cross_entropy_with_logits", at);
  return softmax_cross_entropy(labels, logits, options.axis, in);
}

Output softmax_cross_entropy_with_logits(const Input& labels, const Input& logits,
                                         const CrossEntropyOptions& options,
                                         std::source_location at) {
  const Block in(options.name, "softmax_cross_entropy_with_logits_sg", at);
  const Output fixed = raw::StopGradient(labels, {.name = "labels_stop_gradient"});
  return softmax_cross_entropy(fixed, logits, options.axis, in);
}

namespace {

// All but the last dimension.
PartialShape outer_shape(const PartialShape& shape) {
  if (!shape.has_rank()) return {};
  PartialShape outer = PartialShape::scalar();
  for (int i = 0; i + 1 < shape.rank(); ++i) outer.add_dim(shape[i]);
  return outer;
}

void check_sparse_labels(const PartialShape& labels, const PartialShape& logits) {
  if (!logits.has_rank()) return;
  require(logits.rank() != 0, "Logits cannot be scalars - received shape ().");
  require(!labels.has_rank() || labels.rank() == logits.rank() - 1,
          "Rank mismatch: Rank of labels (received ", labels.rank(),
          ") should equal rank of logits minus 1 (received ", logits.rank(), ").");
  const PartialShape outer = outer_shape(logits);
  require(!labels.is_full() || !outer.is_full() || labels == outer,
          "Shape mismatch: The shape of labels (received ", shape_text(labels),
          ") should equal the shape of logits except for the last dimension (received ",
          shape_text(logits), ").");
}

}  // namespace

Output sparse_softmax_cross_entropy_with_logits(const Input& labels, const Input& logits,
                                                const LossOptions& options,
                                                std::source_location at) {
  const Block in(options.name, "SparseSoftmaxCrossEntropyWithLogits", at);
  const Output classes = as_tensor(labels), given = as_tensor(logits);
  const bool half = math_parts::type_of(given) == DType::f16;
  const Output x = half ? cast(given, DType::f32) : given;
  const PartialShape known = classes.shape();
  const Output labels_shape = shape(classes);
  check_sparse_labels(known, given.shape());
  const auto loss = [&](Output rows, Output row_classes) {
    return raw::SparseSoftmaxCrossEntropyWithLogits(rows, row_classes, {.name = options.name}).loss;
  };
  const auto finished = [&](Output cost) { return half ? cast(cost, DType::f16) : cost; };
  if (given.shape().rank() == 2) return finished(loss(x, classes));
  std::vector<Node*> checks;
  if (!known.is_full() || !outer_shape(given.shape()).is_full()) {
    const Output of_labels = shape(classes);
    checks.push_back(&debugging::assert_equal(of_labels, parts::range_of(shape(given), {}, -1)));
  }
  std::optional<ControlDependencies> wait;
  if (!checks.empty()) wait.emplace(checks);
  const Output all = shape(given);
  const Output count = slice(all, {Input(rank(given) - 1)});
  const Output rows = raw::Reshape(x, parts::list_of({-1, count}));
  const Output row_classes = raw::Reshape(classes, parts::ints({-1}));
  const Output cost = raw::Reshape(loss(rows, row_classes), labels_shape);
  cost.node->graph().refine_shape(cost, known);
  return finished(cost);
}

Output log_poisson_loss(const Input& targets, const Input& log_input,
                        const LogPoissonOptions& options, std::source_location at) {
  const Block in(options.name, "log_poisson_loss", at);
  const Output x = as_tensor(log_input, "log_input"), y = as_tensor(targets, "targets");
  require_same_shape(x, "log_input", y, "targets");
  const Output exponential = raw::Exp(x);
  const Output loss = exponential - x * y;
  if (!options.compute_full_loss) return loss;
  const DType dtype = math_parts::type_of(y);
  const Output half = as_tensor(math_parts::number(dtype, 0.5));
  const Output two_pi = as_tensor(math_parts::number(dtype, 2 * std::numbers::pi));
  const Output power = y * raw::Log(y) - y;
  const Output stirling = power + half * raw::Log(two_pi * y);
  const Output zeros = zeros_like(y), ones = ones_like(y);
  const Output not_negative = raw::GreaterEqual(y, zeros);
  const Output small = raw::LogicalAnd(not_negative, raw::LessEqual(y, ones));
  return loss + where(small, zeros, stirling);
}

}  // namespace rill::nn
