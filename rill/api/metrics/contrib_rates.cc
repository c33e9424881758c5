#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/squeezable.h"
#include "rill/api/metrics/class_sets.h"
#include "rill/api/metrics/contrib.h"
#include "rill/api/metrics/parts.h"

namespace rill::contrib::metrics {
namespace {

using namespace rill::metrics;

using CountOf = Metric (*)(const Input&, const Input&, const MetricOptions&, std::source_location);

// One count among itself and another.
Metric rate_of(const char* name, CountOf wrong, CountOf right, const Input& predictions,
               const Input& labels, const MetricOptions& options, std::source_location at) {
  const auto scope = open_scope(options.name, name, at);
  const MetricOptions inner{.weights = options.weights};
  const Metric misses = wrong(labels, predictions, inner, at);
  const Metric hits = right(labels, predictions, inner, at);
  const auto rate = [&](Output x, Output y, const char* node_name) {
    const Output any = raw::Greater(operators::add(x, y, at), 0);
    return raw::Select(any, divide(x, operators::add(x, y, at)), 0, {.name = node_name});
  };
  const Output value = rate(misses.value, hits.value, "value");
  return collected(value, rate(misses.update_op, hits.update_op, "update_op"), options);
}

// How often each class was in both judgements, and in each of them.
struct Agreement {
  Input both, first, second;
};

Output kappa(const Agreement& seen, const char* name, std::source_location at) {
  const auto sum = [](const Input& x) { return cast(reduce_sum(x), DType::f64); };
  const Output agreed = sum(seen.both), total = sum(seen.first);
  const Output products = operators::mul(read(seen.first), seen.second, at);
  const Output by_chance = raw::DivNoNan(sum(products), total);
  const Output more = operators::sub(agreed, by_chance, at);
  return raw::DivNoNan(more, operators::sub(total, by_chance, at), {.name = name});
}

}  // namespace

Metric streaming_false_positive_rate(const Input& predictions, const Input& labels,
                                     const MetricOptions& options, std::source_location at) {
  return rate_of("false_positive_rate", false_positives, true_negatives, predictions, labels,
                 options, at);
}

Metric streaming_false_negative_rate(const Input& predictions, const Input& labels,
                                     const MetricOptions& options, std::source_location at) {
  return rate_of("false_negative_rate", false_negatives, true_positives, predictions, labels,
                 options, at);
}

Metric streaming_sparse_average_precision_at_top_k(const Input& top_k_predictions,
                                                   const Labels& labels,
                                                   const MetricOptions& options,
                                                   std::source_location at) {
  const Block in(options.name, "average_precision_at_top_k", at);
  return average_precision_of(labels, as_tensor(top_k_predictions), options, in);
}

Metric cohen_kappa(const Input& given_labels, const Input& given_predictions,
                   std::int64_t num_classes, const MetricOptions& options,
                   std::source_location at) {
  require(num_classes >= 2, "`num_classes` must be >= 2. Found: ", num_classes);
  const auto scope = open_scope(options.name, "cohen_kappa", at);
  const Sides sides = alike(cast(given_predictions, DType::i64),
                            Input(cast(given_labels, DType::i64)), options.weights);
  require(sides.labels.shape().rank() <= 1, "Labels must be a vector, found shape ",
          sides.labels.shape());
  const Output weights = sides.weights ? cast(*sides.weights, DType::f64)
                                       : ones_like(sides.labels, {.dtype = DType::f64});
  const auto counted = [&](const char* name, Output classes, Output number) {
    const Output rows = one_hot(classes, num_classes, {.dtype = DType::f64});
    const Output weighted = operators::mul(rows, expand_dims(number, -1), at);
    return rill::metrics::count(metric_variable({num_classes}, DType::f64, name),
                                reduce_sum(weighted, {.axis = 0}));
  };
  const Output agree = cast(raw::Equal(sides.labels, sides.predictions), DType::f64);
  const Counted both = counted("po", sides.labels, raw::Mul(agree, weights));
  const Counted first = counted("pe_row", sides.labels, weights);
  const Counted second = counted("pe_col", sides.predictions, weights);
  const Output value = kappa({both.value, first.value, second.value}, "value", at);
  const Output update = kappa({both.update, first.update, second.update}, "update_op", at);
  return collected(value, update, options);
}

}  // namespace rill::contrib::metrics
