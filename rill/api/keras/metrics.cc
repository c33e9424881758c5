#include "rill/api/keras/metrics.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/keras/metric_kinds.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/base/error.h"
#include "rill/runtime/session/session.h"

namespace rill::keras {
namespace metrics {
namespace {

Output as_float(Output x) { return rill::cast(x, backend::floatx()); }
Output best(Output scores) { return raw::ArgMax(scores, -1); }

}  // namespace

Output accuracy(Output y_true, Output y_pred) {
  return as_float(raw::Equal(rill::cast(y_true, base_type(y_pred.dtype())), y_pred));
}
Output binary_accuracy(Output y_true, Output y_pred, double threshold) {
  const Output guess =
      rill::cast(raw::Greater(y_pred, parts::number(threshold, y_pred)), base_type(y_pred.dtype()));
  const Output truth = rill::cast(y_true, base_type(guess.dtype()));
  return reduce_mean(as_float(raw::Equal(truth, guess)), {.axis = Input(-1)});
}
Output categorical_accuracy(Output y_true, Output y_pred) {
  return as_float(raw::Equal(best(y_true), best(y_pred)));
}
Output sparse_categorical_accuracy(Output y_true, Output y_pred) {
  const int rank = y_true.shape().rank(), scores = y_pred.shape().rank();
  const bool squeezed = rank >= 0 && rank == scores;
  const Output truth = squeezed ? rill::squeeze(y_true, {.axis = {-1}}) : y_true;
  const Output guess = rill::cast(best(y_pred), base_type(truth.dtype()));
  return as_float(raw::Equal(truth, guess));
}
Output top_k_categorical_accuracy(Output y_true, Output y_pred, std::int64_t k) {
  return as_float(raw::InTopKV2(y_pred, best(y_true), Tensor::scalar<std::int64_t>(k)));
}
Output sparse_top_k_categorical_accuracy(Output y_true, Output y_pred, std::int64_t k) {
  Output truth = y_true;
  if (truth.shape().rank() > 1) truth = parts::reshape_to(truth, {-1});
  return as_float(
      raw::InTopKV2(y_pred, rill::cast(truth, DType::i64), Tensor::scalar<std::int64_t>(k)));
}

}  // namespace metrics

namespace {

struct Tracked {
  std::vector<Variable> variables;
};

}  // namespace

void track(const Variable& variable) {
  if (variable.is_eager()) return;  // it has its value
  default_graph()->attached<Tracked>().variables.push_back(variable);
}
std::vector<Variable> tracked_variables() { return default_graph()->attached<Tracked>().variables; }

Metric::Metric(std::string default_name, const metrics::MetricOptions& options)
    : name_(options.name.empty() ? std::move(default_name) : options.name),
      dtype_(options.dtype == DType::invalid ? backend::floatx() : options.dtype) {}

Variable Metric::add_weight(const std::string& name, const Shape& shape) {
  const std::function<Output()> zeros = [&] {
    return zeros_initializer()({.shape = shape, .dtype = dtype_});
  };
  Variable added(zeros, {.trainable = false,
                         .collections = std::vector<std::string>{},
                         .dtype = dtype_,
                         .use_resource = true,
                         .synchronization = VariableSynchronization::ON_READ,
                         .aggregation = VariableAggregation::SUM,
                         .name = name});
  track(added);
  variables_.push_back(added);
  variable_names_.push_back(name);
  return added;
}

Output Metric::operator()(const std::vector<Output>& values,
                          const std::optional<Output>& sample_weight, std::source_location at) {
  const Block in(name_, name_, at);
  Node* const update = &update_state(values, sample_weight);
  const ControlDependencies after(std::span(&update, 1));
  return raw::Identity(result());
}

void Metric::reset_states(Session& session) const {
  std::vector<Node*> initializers;
  for (const Variable& variable : variables_) initializers.push_back(&variable.initializer());
  session.run(std::span<const Feed>(), std::span<const Output>(), initializers);
}

}  // namespace rill::keras
