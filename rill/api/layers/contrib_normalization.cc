#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/plain_array.h"
#include "rill/api/layers/contrib_scope.h"
#include "rill/api/math/math.h"
#include "rill/api/nn/moments.h"
#include "rill/api/nn/normalization.h"
#include "rill/api/nn/pooling.h"
#include "rill/api/nn/softmax.h"

namespace rill::contrib::layers {
namespace {

template <class T>
T of_name(const std::map<std::string, T>& all, const std::string& name) {
  const auto found = all.find(name);
  return found == all.end() ? T() : found->second;
}

std::vector<std::int64_t> axes_from(int begin, int rank) {
  std::vector<std::int64_t> axes;
  for (int i = begin; i < rank; ++i) axes.push_back(i);
  return axes;
}

std::string scope_alias() { return current_scope().name(); }

}  // namespace

// --- normalisation -------------------------------------------------------------------------------

Output batch_norm(Output inputs, const BatchNormOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "BatchNorm", o.reuse, {}, at);
  const bool in_place = !o.updates_collections;
  rill::layers::BatchNormalizationOptions how;
  how.axis = {nn::is_channels_first(o.data_format) ? 1 : -1};
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
  Output outputs = layer(inputs, {.training = o.is_training}, at);
  const std::vector<Node*> updates = layer.updates();
  if (in_place) {
    if (!updates.empty()) outputs = with_dependencies(updates, outputs);
  } else {
    for (Node* update : updates) add_to_collections(*o.updates_collections, update);
  }
  collect(layer.beta, "beta", o.variables_collections);
  collect(layer.gamma, "gamma", o.variables_collections);
  collect(layer.moving_mean, "moving_mean", o.variables_collections);
  collect(layer.moving_variance, "moving_variance", o.variables_collections);
  return finished(outputs, {}, o.activation_fn, o.outputs_collections, *in);
}

Output layer_norm(Output inputs, const LayerNormOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "LayerNorm", o.reuse, {}, at);
  const PartialShape shape = inputs.shape();
  require(shape.has_rank(), "Inputs ", inputs.name(), " has undefined rank.");
  const auto place = [&](int axis, const char* name) {
    const int found = axis < 0 ? axis + shape.rank() : axis;
    require(found >= 0 && found < shape.rank(), name, " (", axis, ") must be < rank(inputs) (",
            shape.rank(), ")");
    return found;
  };
  const int norm_axis = place(o.begin_norm_axis, "begin_norm_axis");
  const int params_axis = place(o.begin_params_axis, "begin_params_axis");
  const PartialShape params(shape.dims().subspan(static_cast<std::size_t>(params_axis)));
  require(params.is_full(), "Inputs ", inputs.name(), ": shape(inputs)[", o.begin_params_axis,
          ":] is not fully defined: ", shape);
  const DType dtype = base_type(inputs.dtype());
  std::optional<Input> beta, gamma;
  const auto parameter = [&](const char* name, const Initializer& initializer) {
    const Variable variable = model_variable(name, params, dtype, initializer, {}, o.trainable);
    collect(AnyVariable(variable), name, o.variables_collections);
    return Input(variable);
  };
  if (o.center) beta = parameter("beta", zeros_initializer());
  if (o.scale) gamma = parameter("gamma", ones_initializer());
  const auto [mean, variance] =
      nn::moments(inputs, ShapeInput(axes_from(norm_axis, shape.rank())), {.keepdims = true});
  const double epsilon = dtype == DType::f16 ? 1e-3 : 1e-12;
  const Output outputs = nn::batch_normalization(inputs, mean, variance, beta, gamma, epsilon);
  outputs.node->graph().refine_shape(outputs, shape);
  return finished(outputs, {}, o.activation_fn, o.outputs_collections, *in);
}

// --- layers without weights, and others ----------------------------------------------------------

namespace {

Output pool2d(bool is_max, Output inputs, const nn::Sizes& kernel_size, const PoolOptions& o) {
  const bool channels_first = nn::is_channels_first(o.data_format);
  const auto whole = [&](const nn::Sizes& sizes, const char* name) {
    std::vector<std::int64_t> all = rill::layers::checked_sizes(sizes, 2, name);
    all.insert(all.begin(), channels_first ? 2 : 1, 1);
    if (!channels_first) all.push_back(1);
    return all;
  };
  const auto pool = is_max ? nn::max_pool : nn::avg_pool;
  return pool(inputs, whole(kernel_size, "kernel_size"), whole(o.stride, "stride"), o.padding,
              {.data_format = o.data_format}, std::source_location::current());
}

}  // namespace

Output max_pool2d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& o,
                  std::source_location at) {
  const Block in(o.scope, "MaxPool2D", at);
  return collect_named_output(o.outputs_collections, scope_alias(),
                              pool2d(true, inputs, kernel_size, o));
}

Output avg_pool2d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& o,
                  std::source_location at) {
  const Block in(o.scope, "AvgPool2D", at);
  return collect_named_output(o.outputs_collections, scope_alias(),
                              pool2d(false, inputs, kernel_size, o));
}

Output dropout(Output inputs, const DropoutOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "Dropout", Reuse::kUnset, {}, at);
  rill::layers::DropoutOptions how;
  how.rate = o.keep_prob.is_value() ? Input(1.0 - o.keep_prob.value(DType::f64).data<double>()[0])
                                    : Input(1.0 - as_tensor(o.keep_prob));
  how.noise_shape = o.noise_shape;
  how.seed = o.seed;
  how.name = in->scope()->name;
  rill::layers::Dropout layer(how, {.scope = in->scope()});
  const Output outputs = layer(inputs, {.training = o.is_training}, at);
  return finished(outputs, {}, {}, o.outputs_collections, *in);
}

Output flatten(Output inputs, const FlattenOptions& o, std::source_location at) {
  require(!inputs.shape().has_rank() || inputs.shape().rank() >= 2,
          "Inputs must have a least 2 dimensions.");
  const Block in(o.scope, "Flatten", at);
  const std::string alias = scope_alias();
  return collect_named_output(o.outputs_collections, alias, rill::layers::flatten(inputs));
}

Output one_hot_encoding(Output labels, std::int64_t num_classes, const OneHotOptions& o,
                        std::source_location at) {
  const Block in(o.scope, "OneHotEncoding", at);
  const std::string alias = scope_alias();
  if (base_type(labels.dtype()) == DType::i32) labels = cast(labels, DType::i64);
  const Output outputs = one_hot(labels, static_cast<int>(num_classes),
                                 {.on_value = o.on_value, .off_value = o.off_value});
  return collect_named_output(o.outputs_collections, alias, outputs);
}

Output bias_add(Output inputs, const BiasAddOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "BiasAdd", o.reuse, {}, at);
  const int axis = nn::is_channels_first(o.data_format) ? 1 : -1;
  const std::int64_t features = rill::layers::known_channels(inputs.shape(), axis);
  const Variable biases = model_variable("biases", {features}, base_type(inputs.dtype()),
                                         o.initializer, o.regularizer, o.trainable);
  collect(AnyVariable(biases), "biases", o.variables_collections);
  return finished(nn::bias_add(inputs, biases, {.data_format = o.data_format}), {}, o.activation_fn,
                  o.outputs_collections, *in);
}

Output softmax(Output logits, const ScopeChoice& scope, std::source_location at) {
  const auto in =
      scope ? scope.open({}, at) : VariableScopeBlock::with_default_name("softmax", {}, at);
  const PartialShape before = logits.shape();
  const std::int64_t count = rill::layers::known_channels(before, -1);
  const Output flat = reshape(logits, rill::layers::axes_input({-1, count}));
  const Output outputs = reshape(nn::softmax(flat), shape(logits));
  outputs.node->graph().refine_shape(outputs, before);
  return outputs;
}

}  // namespace rill::contrib::layers
