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

std::vector<std::int64_t> axes_from(int begin, int rank) {
  std::vector<std::int64_t> axes;
  for (int i = begin; i < rank; ++i) axes.push_back(i);
  return axes;
}

std::string scope_alias() { return current_scope().name(); }

}  // namespace

// --- normalisation -------------------------------------------------------------------------------

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
  OptionalInput beta, gamma;
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

// A pooling op over `dims` dimensions of space. Volumes with channels first are turned around it,
// as the op takes them with channels last only.
Output pooled(bool is_max, int dims, Output inputs, const nn::Sizes& kernel_size,
              const PoolOptions& o) {
  const bool channels_first = nn::is_channels_first(o.data_format);
  const bool turned = channels_first && dims == 3;
  const auto whole = [&](const nn::Sizes& sizes, const char* name) {
    std::vector<std::int64_t> all = rill::layers::checked_sizes(sizes, dims, name);
    all.insert(all.begin(), channels_first && !turned ? 2 : 1, 1);
    if (!channels_first || turned) all.push_back(1);
    return all;
  };
  const auto size = whole(kernel_size, "kernel_size"), stride = whole(o.stride, "stride");
  if (dims == 2) {
    const auto pool = is_max ? nn::max_pool : nn::avg_pool;
    return pool(inputs, size, stride, o.padding, {.data_format = channels_first ? "NCHW" : "NHWC"},
                std::source_location::current());
  }
  const auto pool = is_max ? nn::max_pool3d : nn::avg_pool3d;
  if (!turned) return pool(inputs, size, stride, o.padding, {}, std::source_location::current());
  const Output last = transpose(inputs, {.perm = rill::layers::axes_input({0, 2, 3, 4, 1})});
  return transpose(pool(last, size, stride, o.padding, {}, std::source_location::current()),
                   {.perm = rill::layers::axes_input({0, 4, 1, 2, 3})});
}

Output pooled_in_block(bool is_max, int dims, Output inputs, const nn::Sizes& kernel_size,
                       const PoolOptions& o, std::source_location at) {
  const Block in(o.scope, str_cat(is_max ? "MaxPool" : "AvgPool", dims, "D"), at);
  return collect_named_output(o.outputs_collections, scope_alias(),
                              pooled(is_max, dims, inputs, kernel_size, o));
}

}  // namespace

Output max_pool2d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& o,
                  std::source_location at) {
  return pooled_in_block(true, 2, inputs, kernel_size, o, at);
}

Output avg_pool2d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& o,
                  std::source_location at) {
  return pooled_in_block(false, 2, inputs, kernel_size, o, at);
}

Output max_pool3d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& o,
                  std::source_location at) {
  return pooled_in_block(true, 3, inputs, kernel_size, o, at);
}

Output avg_pool3d(Output inputs, const nn::Sizes& kernel_size, const PoolOptions& o,
                  std::source_location at) {
  return pooled_in_block(false, 3, inputs, kernel_size, o, at);
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
