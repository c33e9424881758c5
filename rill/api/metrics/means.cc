#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/losses/weights_broadcast.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/squeezable.h"
#include "rill/api/metrics/parts.h"

namespace rill::metrics {
namespace {

// The options of a mean that stands for a metric of another name.
MetricOptions as_mean(const MetricOptions& options, const OptionalInput& weights,
                      const char* name) {
  MetricOptions inner = options;
  inner.weights = weights;
  if (inner.name.empty()) inner.name = name;
  return inner;
}

Output share(const Input& total, const Input& count, const char* name) {
  return raw::DivNoNan(total, raw::Maximum(count, 0), {.name = name});
}

// `values` is there before it is counted.
Metric mean_of(const Variable& total, const Variable& count_variable, Output values,
               const Input& increase, const Input& number, const MetricOptions& options) {
  const Counted sum = count(total, increase);
  const Counted counted = [&] {
    const ControlDependencies wait(values);
    return count(count_variable, number);
  }();
  const Output value = share(sum.value, counted.value, "value");
  return collected(value, share(sum.update, counted.update, "update_op"), options);
}

struct WeightedValues {
  Output values, weights;
};
WeightedValues weighted_values(Output values, const Input& weights) {
  const Sides sides = alike(values, {}, weights);
  const Output wide = cast(*sides.weights, DType::f32);
  const Output broadcast = broadcast_weights(wide, sides.predictions);
  return {raw::Mul(sides.predictions, broadcast), broadcast};
}

}  // namespace

Metric mean(const Input& given, const MetricOptions& options, std::source_location at) {
  const auto scope = open_scope(options.name, "mean", at);
  Output values = cast(given, DType::f32), number;
  const Variable total = metric_variable({}, DType::f32, "total");
  const Variable counted = metric_variable({}, DType::f32, "count");
  if (options.weights) {
    const WeightedValues by_weight = weighted_values(values, *options.weights);
    values = by_weight.values;
    number = reduce_sum(by_weight.weights);
  } else {
    number = cast(size(values), DType::f32);
  }
  return mean_of(total, counted, values, reduce_sum(values), number, options);
}

Metric mean_tensor(const Input& given, const MetricOptions& options, std::source_location at) {
  const auto scope = open_scope(options.name, "mean", at);
  Output values = cast(given, DType::f32);
  require(values.shape().is_full(), "Cannot convert a partially known TensorShape ", values.shape(),
          " to a Tensor.");
  const Shape shape = values.shape().full();
  const Variable total = metric_variable(shape, DType::f32, "total_tensor");
  const Variable counted = metric_variable(shape, DType::f32, "count_tensor");
  Output number = ones_like(values);
  if (options.weights) {
    const WeightedValues by_weight = weighted_values(values, *options.weights);
    values = by_weight.values;
    number = raw::Mul(number, by_weight.weights);
  }
  return mean_of(total, counted, values, values, number, options);
}

Metric accuracy(const Input& labels, const Input& given_predictions, const MetricOptions& options,
                std::source_location at) {
  const MadeAt place(at);
  const Sides sides = alike(given_predictions, labels, options.weights);
  const Output predictions = cast(sides.predictions, base_type(sides.labels.dtype()));
  const Output is_correct = cast(raw::Equal(predictions, sides.labels), DType::f32);
  return mean(is_correct, as_mean(options, sides.weights, "accuracy"));
}

Metric mean_absolute_error(const Input& labels, const Input& predictions,
                           const MetricOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Sides sides = alike(predictions, labels, options.weights);
  const Output errors = abs(operators::sub(sides.predictions, sides.labels, at));
  return mean(errors, as_mean(options, sides.weights, "mean_absolute_error"));
}

Metric mean_squared_error(const Input& labels, const Input& predictions,
                          const MetricOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Sides sides = alike(predictions, labels, options.weights);
  const Output errors = raw::SquaredDifference(sides.labels, sides.predictions);
  return mean(errors, as_mean(options, sides.weights, "mean_squared_error"));
}

Metric root_mean_squared_error(const Input& labels, const Input& predictions,
                               const MetricOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Sides sides = alike(predictions, labels, options.weights);
  const Metric squared =
      mean_squared_error(sides.labels, sides.predictions,
                         uncollected(sides.weights, options.name, "root_mean_squared_error"));
  const Output value = raw::Sqrt(squared.value);
  return collected(value, raw::Sqrt(squared.update_op), options);
}

Metric mean_relative_error(const Input& labels, const Input& predictions, const Input& normalizer,
                           const MetricOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Sides sides = alike(predictions, labels, options.weights);
  const auto [compared, divisor] = remove_squeezable_dimensions(sides.predictions, normalizer);
  require_compatible(compared, divisor);
  const Output is_zero = raw::Equal(divisor, 0.0);
  const Output nothing = zeros_like(sides.labels);
  const Output errors = divide(abs(operators::sub(sides.labels, compared, at)), divisor);
  const Output relative = raw::Select(is_zero, nothing, errors);
  return mean(relative, as_mean(options, sides.weights, "mean_relative_error"));
}

Metric mean_cosine_distance(const Input& labels, const Input& predictions, std::int64_t dim,
                            const MetricOptions& options, std::source_location at) {
  const MadeAt place(at);
  const Sides sides = alike(predictions, labels, options.weights);
  const Output products = raw::Mul(sides.predictions, sides.labels);
  const Output cosines = reduce_sum(products, {.axis = parts::ints({dim}), .keepdims = true});
  const Metric similar =
      mean(cosines, uncollected(sides.weights, options.name, "mean_cosine_distance"));
  const Output value = raw::Sub(1.0, similar.value);
  return collected(value, raw::Sub(1.0, similar.update_op), options);
}

Metric percentage_below(const Input& values, const Input& threshold, const MetricOptions& options,
                        std::source_location at) {
  const MadeAt place(at);
  const Output is_below = cast(raw::Less(values, threshold), DType::f32);
  return mean(is_below, as_mean(options, options.weights, "percentage_below_threshold"));
}

}  // namespace rill::metrics
