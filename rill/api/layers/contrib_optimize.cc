#include "rill/api/layers/contrib_optimize.h"

#include <algorithm>

#include "rill/api/array/shapes.h"
#include "rill/api/core/collections.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/plain_array.h"
#include "rill/api/math/math.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/summary/summary.h"
#include "rill/api/train/clip_ops.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::contrib::layers {
namespace {

using train::GradientAndVariable;

// A gradient whose values are changed, as a tensor or as rows.
template <class Change>
Gradient changed(const Gradient& gradient, Change change) {
  if (gradient.empty()) return gradient;
  if (!gradient.is_slices()) return change(gradient.dense());
  IndexedSlices slices = gradient.slices();
  slices.values = change(slices.values);
  return slices;
}

std::vector<Gradient> gradients_of(const std::vector<GradientAndVariable>& pairs) {
  std::vector<Gradient> all;
  for (const auto& pair : pairs) all.push_back(pair.gradient);
  return all;
}

void multiply(std::vector<GradientAndVariable>& pairs, const std::map<std::string, double>& by) {
  for (auto& [gradient, variable] : pairs)
    if (const auto found = by.find(variable.op().name()); found != by.end())
      gradient = changed(gradient, [&](Output values) { return values * found->second; });
}

void add_noise(std::vector<GradientAndVariable>& pairs, double scale) {
  for (auto& pair : pairs)
    pair.gradient = changed(pair.gradient, [&](Output values) {
      return values + truncated_normal(Input(shape(values))) * scale;
    });
}

std::vector<Node*> update_ops() {
  std::vector<Node*> nodes;
  for (const CollectionItem& item : get_collection(GraphKeys::UPDATE_OPS))
    if (const auto* node = std::get_if<Node*>(&item)) nodes.push_back(*node);
  return nodes;
}

Output rate_of(double learning_rate, const Variable& step, const OptimizeLossOptions& o) {
  require(learning_rate >= 0, "Invalid learning_rate ", learning_rate, ".");
  GetVariableOptions how;
  how.shape = PartialShape::scalar();
  how.trainable = false;
  how.initializer = constant_initializer(learning_rate);
  const Variable rate = get_variable("learning_rate", how);
  if (!o.learning_rate_decay_fn) return as_tensor(rate);
  require(bool(step), "global_step is required for learning_rate_decay_fn.");
  return o.learning_rate_decay_fn(as_tensor(rate), step);
}

}  // namespace

Output optimize_loss(Output loss, const Variable& global_step, double learning_rate,
                     const MakeOptimizer& optimizer, const OptimizeLossOptions& o,
                     std::source_location at) {
  require(!loss.shape().has_rank() || loss.shape().rank() == 0, "Loss should be a scalar, got ",
          loss.shape());
  const auto in = o.name.empty()
                      ? VariableScopeBlock::with_default_name("OptimizeLoss", {}, at)
                      : std::make_unique<VariableScopeBlock>(o.name, VariableScopeOptions(), at);
  const auto wanted = [&](const char* kind) {
    return std::ranges::find(o.summaries, kind) != o.summaries.end();
  };
  const std::vector<Node*> updates = o.update_ops ? *o.update_ops : update_ops();
  if (!updates.empty()) loss = with_dependencies(updates, loss);
  const Output rate = rate_of(learning_rate, global_step, o);
  if (wanted("learning_rate")) summaries::scalar("learning_rate", rate);
  const std::unique_ptr<train::Optimizer> chosen = optimizer(rate);
  std::vector<GradientAndVariable> pairs = chosen->compute_gradients(
      loss, {.var_list = o.variables ? *o.variables : trainable_variables()});
  if (o.gradient_noise_scale) add_noise(pairs, *o.gradient_noise_scale);
  multiply(pairs, o.gradient_multipliers);
  if (wanted("global_gradient_norm"))
    summaries::scalar("global_norm/gradient_norm", global_norm(gradients_of(pairs)));
  if (o.clip_gradients) {
    const auto clipped = clip_by_global_norm(gradients_of(pairs), *o.clip_gradients).first;
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].gradient = clipped[i];
  }
  if (wanted("loss")) summaries::scalar("loss", loss);
  Node& step = chosen->apply_gradients(
      pairs, {.global_step = o.increment_global_step ? global_step : Variable(), .name = "train"});
  return with_dependencies({&step}, loss);
}

}  // namespace rill::contrib::layers
