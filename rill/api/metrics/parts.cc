#include "rill/api/metrics/parts.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/squeezable.h"
#include "rill/api/train/parts.h"
#include "rill/api/variables/variable_lists.h"

namespace rill::metrics {
namespace {

Output with_last(Output x) { return expand_dims(x, parts::ints({-1})); }

// Decided in the step, where a rank is not known.
Output adjusted(Output weights, Output predictions) {
  const Output weights_rank = rank(weights);
  const Output diff = operators::sub(weights_rank, rank(predictions), {});
  const auto same = [&] { return weights; };
  const auto squeezed = [&] {
    return may_end_with_one(weights.shape()) ? without_last(weights) : weights;
  };
  const auto expanded = [&] {
    return cond_one(
        raw::Equal(diff, -1), [&] { return with_last(weights); }, same);
  };
  return cond_one(raw::Equal(weights_rank, 0), same,
                  [&] { return cond_one(raw::Equal(diff, 1), squeezed, expanded); });
}

Output weights_like(Output predictions, const Input& given) {
  const Output weights = as_tensor(given);
  const PartialShape &w = weights.shape(), &p = predictions.shape();
  if (w.has_rank() && w.rank() == 0) return weights;
  if (!w.has_rank() || !p.has_rank()) return adjusted(weights, predictions);
  if (w.rank() - p.rank() == 1) return without_last(weights);
  return p.rank() - w.rank() == 1 ? with_last(weights) : weights;
}

}  // namespace

std::unique_ptr<VariableScopeBlock> open_scope(const std::string& name, const char* otherwise,
                                               std::source_location at) {
  if (name.empty()) return VariableScopeBlock::with_default_name(otherwise, {}, at);
  return std::make_unique<VariableScopeBlock>(name, VariableScopeOptions{}, at);
}

Variable metric_variable(const Shape& shape, DType dtype, const std::string& name,
                         bool validate_shape) {
  VariableOptions options;
  options.trainable = false;
  options.collections = {{GraphKeys::LOCAL_VARIABLES, GraphKeys::METRIC_VARIABLES}};
  options.validate_shape = validate_shape;
  options.use_resource = get_variable_scope()->use_resource;
  options.synchronization = VariableSynchronization::ON_READ;
  options.aggregation = VariableAggregation::SUM;
  options.name = name;
  return Variable(std::function<Output()>([&] { return zeros(shape, {.dtype = dtype}); }), options);
}

Input written(const Variable& variable, Output result) {
  if (!variable.is_resource()) return result;
  return variable.after(train::write_of(variable, result), result);
}

Counted count(const Variable& variable, const Input& increase, const std::string& name) {
  // TensorFlow forgets the name where the variable is a resource.
  const Output update =
      variable.assign_add(increase, {.name = variable.is_resource() ? std::string() : name});
  return {variable, written(variable, update), update};
}

Sides alike(const Input& given_predictions, const OptionalInput& given_labels,
            const OptionalInput& weights) {
  Sides sides{.predictions = as_tensor(given_predictions)};
  if (given_labels) {
    const auto pair = remove_squeezable_dimensions(*given_labels, sides.predictions);
    sides.labels = pair.labels, sides.predictions = pair.predictions;
    require_compatible(sides.predictions, sides.labels);
  }
  if (weights) sides.weights = weights_like(sides.predictions, *weights);
  return sides;
}

void require_compatible(Output x, Output y) {
  require(x.shape().is_compatible(y.shape()), "Shapes ", shape_text(x.shape()), " and ",
          shape_text(y.shape()), " are incompatible");
}

Metric in_collections(Metric metric, const std::vector<std::string>& metrics_collections,
                      const std::vector<std::string>& updates_collections) {
  add_to_collections(metrics_collections, metric.value);
  add_to_collections(updates_collections, metric.update_op);
  return metric;
}

Node& reset(std::string_view scope, std::source_location at) {
  std::vector<Variable> variables;
  for (auto& state : collections_of(*default_graph())
                         .collected<VariableState>(GraphKeys::METRIC_VARIABLES, scope))
    variables.emplace_back(std::move(state));
  return variables_initializer(variables, "reset_metrics", at);
}

}  // namespace rill::metrics
