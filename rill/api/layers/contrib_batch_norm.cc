#include <algorithm>

#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/plain_array.h"
#include "rill/api/layers/contrib_scope.h"
#include "rill/api/math/math.h"
#include "rill/api/nn/moments.h"
#include "rill/api/nn/normalization.h"
#include "rill/api/train/moving_averages.h"

namespace rill::contrib::layers {
namespace {

template <class T>
T of_name(const std::map<std::string, T>& all, const std::string& name) {
  const auto found = all.find(name);
  return found == all.end() ? T() : found->second;
}

Initializer initializer_of(const BatchNormOptions& o, const std::string& name,
                           const Initializer& otherwise) {
  const Initializer given = of_name(o.param_initializers, name);
  return given ? given : otherwise;
}

bool channels_first(const BatchNormOptions& o) { return nn::is_channels_first(o.data_format); }

// The variables and the updates of a batch norm that is not a layer of tf.layers.
struct OwnBatchNorm {
  const BatchNormOptions& o;
  PartialShape shape;
  DType dtype;
  Weight beta{}, gamma{};
  Variable mean{}, variance{};

  Weight parameter(const char* name, const Initializer& otherwise, bool trainable) const {
    const Variable variable =
        model_variable(name, shape, dtype, initializer_of(o, name, otherwise),
                       of_name(o.param_regularizers, name), trainable && o.trainable);
    const Weight weight{AnyVariable(variable)};
    collect(weight, name, o.variables_collections);
    return weight;
  }
  void make_variables() {
    if (o.center) beta = parameter("beta", zeros_initializer(), true);
    if (o.scale) gamma = parameter("gamma", ones_initializer(), true);
    // Averages are never in parts: they are updated as a whole.
    const VariableScopeBlock whole(get_variable_scope(), {});
    whole.scope()->partitioner = {};
    mean = parameter("moving_mean", zeros_initializer(), false);
    variance = parameter("moving_variance", ones_initializer(), false);
  }
  std::vector<Output> moved(Output batch_mean, Output batch_variance) const {
    const Output means = train::assign_moving_average(mean, batch_mean, o.decay,
                                                      {.zero_debias = o.zero_debias_moving_mean});
    return {means, train::assign_moving_average(variance, batch_variance, o.decay,
                                                {.zero_debias = false})};
  }
  std::vector<Output> averages() const { return {as_tensor(mean), as_tensor(variance)}; }
  // `values` after the averages were moved while training.
  std::vector<Output> after_moving(Output batch_mean, Output batch_variance,
                                   const std::vector<Output>& values,
                                   const BranchFn& otherwise) const {
    const auto force = [&] {
      std::vector<Node*> updates;
      for (const Output& update : moved(batch_mean, batch_variance)) updates.push_back(update.node);
      const ControlDependencies after(updates);
      std::vector<Output> same;
      for (const Output& value : values) same.push_back(identity(value));
      return same;
    };
    return smart_cond(o.is_training, force, otherwise);
  }
  void collect_updates(Output batch_mean, Output batch_variance) const {
    const auto updates = smart_cond(
        o.is_training, [&] { return moved(batch_mean, batch_variance); },
        [&] { return averages(); });
    for (const Output& update : updates) add_to_collections(*o.updates_collections, update);
  }
};

// The last known dimensions as a target of reshape; the input's shape where they do not say it.
Output in_shape_of(Output values, Output original) {
  std::vector<std::int64_t> dims;
  for (const std::int64_t dim : original.shape().dims())
    dims.push_back(std::max<std::int64_t>(dim, -1));
  if (std::ranges::count(dims, -1) > 1) return reshape(values, shape(original));
  return reshape(values, rill::layers::axes_input(dims));
}

// One op for images, and for matrices as images of one pixel. The variance that it hands out, and
// that the moving average follows, is divided by n - 1.
Output fused_batch_norm(Output inputs, const BatchNormOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "BatchNorm", o.reuse, {}, at);
  const Output original = inputs;
  const std::int64_t channels =
      rill::layers::known_channels(inputs.shape(), channels_first(o) ? 1 : -1);
  if (original.shape().rank() == 2)
    inputs = reshape(inputs, channels_first(o) ? rill::layers::axes_input({-1, channels, 1, 1})
                                               : rill::layers::axes_input({-1, 1, 1, channels}));
  OwnBatchNorm norm{o, {channels}, DType::f32};
  norm.make_variables();
  const auto filled = [&](const Weight& weight, double value) {
    return weight ? Input(weight)
                  : Input(constant(value, {.dtype = DType::f32, .shape = Shape{channels}}));
  };
  const Input shift = filled(norm.beta, 0.0), factor = filled(norm.gamma, 1.0);
  const auto normalise = [&](bool training) {
    nn::FusedBatchNormOptions how{.epsilon = static_cast<float>(o.epsilon),
                                  .data_format = channels_first(o) ? "NCHW" : "NHWC",
                                  .is_training = training};
    if (!training) {
      how.mean = norm.mean;
      how.variance = norm.variance;
    }
    const nn::FusedBatchNorm made = nn::fused_batch_norm(inputs, factor, shift, how);
    return std::vector{made.y, made.batch_mean, made.batch_variance};
  };
  const auto made = smart_cond(
      o.is_training, [&] { return normalise(true); }, [&] { return normalise(false); });
  Output outputs = made[0];
  if (smart_constant_value(o.is_training).value_or(true)) {
    if (o.updates_collections)
      norm.collect_updates(made[1], made[2]);
    else
      outputs =
          norm.after_moving(made[1], made[2], {outputs}, [&] { return std::vector{outputs}; })[0];
  }
  outputs.node->graph().refine_shape(outputs, inputs.shape());
  if (original.shape().rank() == 2) outputs = in_shape_of(outputs, original);
  return finished(outputs, {}, o.activation_fn, o.outputs_collections, *in);
}

// Step by step: for weighted examples, and for collections and ranks that the others do not take.
Output plain_batch_norm(Output inputs, const BatchNormOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "BatchNorm", o.reuse, {}, at);
  require(!o.renorm,
          "renorm is not supported with batch_weights, updates_collections or "
          "zero_debias_moving_mean");
  const PartialShape shape = inputs.shape();
  require(shape.has_rank(), "Inputs ", inputs.name(), " has undefined rank.");
  const int rank = shape.rank(), axis = channels_first(o) ? 1 : rank - 1;
  const std::int64_t channels = rill::layers::known_channels(shape, axis);
  std::vector<std::int64_t> axes, beside(static_cast<std::size_t>(rank), 1);
  for (int i = 0; i < rank; ++i)
    if (i != axis) axes.push_back(i);
  beside[static_cast<std::size_t>(axis)] = channels;
  std::optional<Output> weights;
  if (o.batch_weights) {
    std::vector<std::int64_t> per_example(static_cast<std::size_t>(rank), 1);
    per_example[0] = -1;
    weights = reshape(as_tensor(*o.batch_weights), rill::layers::axes_input(per_example));
  }
  OwnBatchNorm norm{o, {channels}, base_type(inputs.dtype())};
  norm.make_variables();
  std::vector<Output> used;
  if (smart_constant_value(o.is_training).value_or(true)) {
    const nn::MomentsOptions how{.keepdims = channels_first(o)};
    nn::Moments batch = weights ? nn::weighted_moments(inputs, ShapeInput(axes), *weights, how)
                                : nn::moments(inputs, ShapeInput(axes), how);
    if (how.keepdims) {
      batch.mean = reshape(batch.mean, rill::layers::axes_input({-1}));
      batch.variance = reshape(batch.variance, rill::layers::axes_input({-1}));
    }
    used = {batch.mean, batch.variance};
    const auto averages = [&] { return norm.averages(); };
    if (o.updates_collections) {
      norm.collect_updates(batch.mean, batch.variance);
      used = smart_cond(
          o.is_training,
          [&] {
            return std::vector{batch.mean, batch.variance};
          },
          averages);
    } else {
      used = norm.after_moving(batch.mean, batch.variance, used, averages);
    }
  } else {
    used = norm.averages();
  }
  const auto parameter = [&](const Weight& weight) -> OptionalInput {
    if (!weight) return std::nullopt;
    return channels_first(o) ? Input(reshape(weight, rill::layers::axes_input(beside)))
                             : Input(weight);
  };
  if (channels_first(o))
    for (Output& moment : used) moment = reshape(moment, rill::layers::axes_input(beside));
  const Output outputs = nn::batch_normalization(inputs, used[0], used[1], parameter(norm.beta),
                                                 parameter(norm.gamma), o.epsilon);
  outputs.node->graph().refine_shape(outputs, shape);
  return finished(outputs, {}, o.activation_fn, o.outputs_collections, *in);
}

// The layer of tf.layers with its variables in this module's scopes and collections.
Output layer_batch_norm(Output inputs, const BatchNormOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "BatchNorm", o.reuse, {}, at);
  rill::layers::BatchNormalizationOptions how;
  how.axis = {channels_first(o) ? 1 : -1};
  how.momentum = o.decay;
  how.epsilon = o.epsilon;
  how.center = o.center;
  how.scale = o.scale;
  how.beta_initializer = of_name(o.param_initializers, "beta");
  how.gamma_initializer = of_name(o.param_initializers, "gamma");
  how.moving_mean_initializer = of_name(o.param_initializers, "moving_mean");
  how.moving_variance_initializer = of_name(o.param_initializers, "moving_variance");
  how.beta_regularizer = of_name(o.param_regularizers, "beta");
  how.gamma_regularizer = of_name(o.param_regularizers, "gamma");
  how.trainable = o.trainable;
  how.name = in->scope()->name;
  how.reuse = o.reuse;
  how.renorm = o.renorm;
  how.renorm_clipping = o.renorm_clipping;
  how.renorm_momentum = o.renorm_decay;
  how.fused = o.fused;
  how.adjustment = o.adjustment;
  rill::layers::BatchNormalization layer(how, {.scope = in->scope(), .collects_updates = false});
  const Output outputs = layer(inputs, {.training = o.is_training}, at);
  for (Node* update : layer.updates()) add_to_collections(*o.updates_collections, update);
  collect(layer.moving_mean, "moving_mean", o.variables_collections);
  collect(layer.moving_variance, "moving_variance", o.variables_collections);
  collect(layer.beta, "beta", o.variables_collections);
  collect(layer.gamma, "gamma", o.variables_collections);
  return finished(outputs, {}, o.activation_fn, o.outputs_collections, *in);
}

}  // namespace

Output batch_norm(Output inputs, const BatchNormOptions& o, std::source_location at) {
  const PartialShape shape = inputs.shape();
  const bool usual_updates = o.updates_collections == Names{std::string(GraphKeys::UPDATE_OPS)};
  const DType dtype = base_type(inputs.dtype());
  const bool can_fuse = !o.batch_weights && !o.renorm && !o.adjustment && shape.has_rank() &&
                        (shape.rank() == 2 || shape.rank() == 4) && dtype != DType::f64;
  if (o.fused.value_or(true) && can_fuse &&
      (o.zero_debias_moving_mean || shape.rank() == 2 || !usual_updates))
    return fused_batch_norm(inputs, o, at);
  if (!o.batch_weights && usual_updates && !o.zero_debias_moving_mean)
    return layer_batch_norm(inputs, o, at);
  return plain_batch_norm(inputs, o, at);
}

}  // namespace rill::contrib::layers
