#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/segments.h"
#include "rill/api/metrics/confusion_matrix.h"
#include "rill/api/metrics/parts.h"
#include "rill/graph/whole_number.h"

namespace rill::metrics {
namespace {

Output flat(Output x) { return x.shape().rank() > 1 ? raw::Reshape(x, parts::ints({-1})) : x; }

OptionalInput flat_weights(const OptionalInput& weights) {
  if (!weights) return {};
  return Input(flat(as_tensor(*weights)));
}

Input class_count(std::int64_t num_classes) {
  require(num_classes >= 0, "num_classes must not be negative: ", num_classes);
  return whole_number(num_classes);
}

// The sum of the matrices of all steps.
Counted confusion(const Input& given_labels, const Input& given_predictions,
                  std::int64_t num_classes, const OptionalInput& weights) {
  const Input classes = class_count(num_classes);
  const Variable total =
      metric_variable({num_classes, num_classes}, DType::f64, "total_confusion_matrix");
  Output predictions = cast(given_predictions, DType::i64);
  Output labels = cast(given_labels, DType::i64);
  const Output known_classes = cast(classes, DType::i64);
  predictions = flat(predictions);
  labels = flat(labels);
  const Output current = confusion_matrix(
      labels, predictions,
      {.num_classes = known_classes, .dtype = DType::f64, .weights = flat_weights(weights)});
  return count(total, current);
}

Output sum_over(const Input& matrix, int axis) {
  return cast(reduce_sum(matrix, {.axis = axis}), DType::f32);
}

// The mean over classes that were seen of intersection over union.
Output mean_of_shares(const Input& matrix, std::source_location at) {
  const Output rows = sum_over(matrix, 0), columns = sum_over(matrix, 1);
  const Output both = cast(raw::DiagPart(matrix), DType::f32);
  Output either = operators::sub(operators::add(rows, columns, at), both, at);
  const Output seen = reduce_sum(cast(raw::NotEqual(either, 0), DType::f32));
  const Output is_positive = raw::Greater(either, 0);
  either = raw::Select(is_positive, either, ones_like(either));
  const Output shares = divide(both, either);
  const Output any = raw::Greater(seen, 0);
  const Output mean = operators::truediv(reduce_sum(shares, {.name = "mean_iou"}), seen, at);
  return raw::Select(any, mean, 0);
}

}  // namespace

Metric mean_iou(const Input& given_labels, const Input& given_predictions, std::int64_t num_classes,
                const MetricOptions& options, std::source_location at) {
  const auto scope = open_scope(options.name, "mean_iou", at);
  const Output predictions = as_tensor(given_predictions), labels = as_tensor(given_labels);
  require_compatible(predictions, labels);
  const Counted matrix = confusion(labels, predictions, num_classes, options.weights);
  return collected(mean_of_shares(matrix.value, at), matrix.update_op, options);
}

Metric mean_per_class_accuracy(const Input& given_labels, const Input& given_predictions,
                               std::int64_t num_classes, const MetricOptions& options,
                               std::source_location at) {
  const auto scope = open_scope(options.name, "mean_accuracy", at);
  class_count(num_classes);
  const Output labels = flat(cast(given_labels, DType::i64));
  Output predictions = flat(as_tensor(given_predictions));
  require_compatible(predictions, labels);
  const Variable total = metric_variable({num_classes}, DType::f32, "total");
  const Variable correct = metric_variable({num_classes}, DType::f32, "count");
  Output number = ones(ShapeInput(parts::list_of({size(labels)})));
  predictions = cast(predictions, DType::i64);
  Output is_correct = cast(raw::Equal(predictions, labels), DType::f32);
  if (const auto weights = flat_weights(options.weights)) {
    const Output wide = cast(*weights, DType::f32);
    is_correct = operators::mul(is_correct, wide, at);
    number = operators::mul(number, wide, at);
  }
  const Input new_total = written(total, total.scatter("Add", labels, number));
  const Input new_correct = written(correct, correct.scatter("Add", labels, is_correct));
  const Output per_class = raw::DivNoNan(correct, raw::Maximum(total, 0), {.name = "div_no_nan"});
  const Output value = reduce_mean(per_class, {.name = "mean_accuracy"});
  const Output most = raw::Maximum(new_total, 0);
  return collected(value, raw::DivNoNan(new_correct, most, {.name = "update_op"}), options);
}

}  // namespace rill::metrics
