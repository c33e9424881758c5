#include <map>

#include "contrib_arguments.h"
#include "plain_values.h"
#include "rill/api/layers/contrib_embedding.h"
#include "rill/api/layers/contrib_layers.h"
#include "rill/api/layers/contrib_norms.h"
#include "scopes.h"

namespace rill::python {
namespace {

Output fully_connected(Output x, const LayerArguments& a) {
  contrib_layers::FullyConnectedOptions o;
  read_common(a, o);
  return contrib_layers::fully_connected(x, a.integer("num_outputs"), o);
}

contrib_layers::ConvolutionOptions conv_options(const LayerArguments& a) {
  contrib_layers::ConvolutionOptions o;
  read_common(a, o);
  read_steps(a, o);
  if (a.has("conv_dims")) o.conv_dims = static_cast<int>(a.integer("conv_dims"));
  return o;
}
Output contrib_convolution(Output x, const LayerArguments& a) {
  return contrib_layers::convolution(x, a.integer("num_outputs"), a.sizes("kernel_size"),
                                     conv_options(a));
}
Output conv2d_transpose(Output x, const LayerArguments& a) {
  return contrib_layers::conv2d_transpose(x, a.integer("num_outputs"), a.sizes("kernel_size"),
                                          conv_options(a));
}
Output conv3d_transpose(Output x, const LayerArguments& a) {
  return contrib_layers::conv3d_transpose(x, a.integer("num_outputs"), a.sizes("kernel_size"),
                                          conv_options(a));
}

Output contrib_separable_conv2d(Output x, const LayerArguments& a) {
  contrib_layers::SeparableConvolutionOptions o;
  read_common(a, o);
  read_steps(a, o);
  o.depth_multiplier = a.integer("depth_multiplier");
  o.pointwise_initializer = a.initializer("pointwise_initializer");
  std::optional<std::int64_t> outputs;
  if (a.has("num_outputs")) outputs = a.integer("num_outputs");
  return contrib_layers::separable_conv2d(x, outputs, a.sizes("kernel_size"), o);
}

template <class Options>
void read_initializers(const LayerArguments& a, Options& o) {
  o.center = a.flag("center");
  o.scale = a.flag("scale");
  o.epsilon = number_of(a.at("epsilon"));
  if (a.has("param_initializers"))
    for (auto [name, item] : nb::borrow<nb::dict>(a.at("param_initializers")))
      o.param_initializers[str_of(name)] = initializer_of(item);
}

Output batch_norm(Output x, const LayerArguments& a) {
  contrib_layers::BatchNormOptions o;
  read_common(a, o);
  o.decay = a.input("decay");
  read_initializers(a, o);
  if (a.has("param_regularizers"))
    for (auto [name, item] : nb::borrow<nb::dict>(a.at("param_regularizers")))
      o.param_regularizers[str_of(name)] = regularizer_of(item);
  o.updates_collections.reset();
  if (a.has("updates_collections")) o.updates_collections = a.names("updates_collections");
  o.is_training = a.training();
  if (a.has("fused")) o.fused = a.flag("fused");
  o.renorm = a.flag("renorm");
  o.renorm_clipping = renorm_clipping_of(a.at("renorm_clipping"));
  o.adjustment = adjustment_of(a.at("adjustment"));
  o.renorm_decay = a.input("renorm_decay");
  if (a.has("batch_weights")) o.batch_weights = a.input("batch_weights");
  o.zero_debias_moving_mean = a.flag("zero_debias_moving_mean");
  return contrib_layers::batch_norm(x, o);
}

Output layer_norm(Output x, const LayerArguments& a) {
  contrib_layers::LayerNormOptions o;
  read_common(a, o);
  o.center = a.flag("center");
  o.scale = a.flag("scale");
  o.begin_norm_axis = static_cast<int>(a.integer("begin_norm_axis"));
  o.begin_params_axis = static_cast<int>(a.integer("begin_params_axis"));
  return contrib_layers::layer_norm(x, o);
}

template <auto make_pool>
Output pool(Output x, const LayerArguments& a) {
  contrib_layers::PoolOptions o;
  read_common(a, o);
  read_steps(a, o);
  return make_pool(x, a.sizes("kernel_size"), o, std::source_location::current());
}

Output contrib_dropout(Output x, const LayerArguments& a) {
  contrib_layers::DropoutOptions o;
  read_common(a, o);
  o.keep_prob = a.input("keep_prob");
  o.is_training = a.training();
  if (a.has("seed")) o.seed = a.integer("seed");
  o.noise_shape = noise_shape_of(a.at("noise_shape"));
  return contrib_layers::dropout(x, o);
}

Output flatten(Output x, const LayerArguments& a) {
  contrib_layers::FlattenOptions o;
  read_common(a, o);
  return contrib_layers::flatten(x, o);
}

Output one_hot_encoding(Output x, const LayerArguments& a) {
  contrib_layers::OneHotOptions o;
  read_common(a, o);
  o.on_value = a.input("on_value");
  o.off_value = a.input("off_value");
  return contrib_layers::one_hot_encoding(x, a.integer("num_classes"), o);
}

Output bias_add(Output x, const LayerArguments& a) {
  contrib_layers::BiasAddOptions o;
  read_common(a, o);
  o.initializer = a.initializer("initializer");
  o.regularizer = a.regularizer("regularizer");
  return contrib_layers::bias_add(x, o);
}

Output embed_sequence(Output x, const LayerArguments& a) {
  contrib_layers::EmbedSequenceOptions o;
  read_common(a, o);
  if (a.has("vocab_size")) o.vocab_size = a.integer("vocab_size");
  o.unique = a.flag("unique");
  if (a.has("embed_dim")) o.embed_dim = a.integer("embed_dim");
  o.initializer = a.initializer("initializer");
  o.regularizer = a.regularizer("regularizer");
  return contrib_layers::embed_sequence(x, o);
}

Output instance_norm(Output x, const LayerArguments& a) {
  contrib_layers::InstanceNormOptions o;
  read_common(a, o);
  read_initializers(a, o);
  return contrib_layers::instance_norm(x, o);
}

Output group_norm(Output x, const LayerArguments& a) {
  contrib_layers::GroupNormOptions o;
  read_common(a, o);
  read_initializers(a, o);
  o.groups = a.integer("groups");
  o.channels_axis = static_cast<int>(a.integer("channels_axis"));
  o.reduction_axes.clear();
  for (const std::int64_t axis : a.integers("reduction_axes"))
    o.reduction_axes.push_back(static_cast<int>(axis));
  return contrib_layers::group_norm(x, o);
}

Output unit_norm(Output x, const LayerArguments& a) {
  const double epsilon = number_of(a.at("epsilon"));
  return contrib_layers::unit_norm(x, static_cast<int>(a.integer("dim")),
                                   {.epsilon = epsilon, .scope = a.text_or_empty("scope")});
}

Output maxout(Output x, const LayerArguments& a) {
  const int axis = static_cast<int>(a.integer("axis"));
  return contrib_layers::maxout(x, a.integer("num_units"),
                                {.axis = axis, .scope = a.text_or_empty("scope")});
}

Output softmax(Output x, const LayerArguments& a) { return contrib_layers::softmax(x, a.scope()); }

using LayerFunction = Output (*)(Output, const LayerArguments&);
const std::map<std::string, LayerFunction>& makers() {
  static const std::map<std::string, LayerFunction> all{
      {"fully_connected", fully_connected},
      {"convolution", contrib_convolution},
      {"conv2d_transpose", conv2d_transpose},
      {"conv3d_transpose", conv3d_transpose},
      {"separable_conv2d", contrib_separable_conv2d},
      {"batch_norm", batch_norm},
      {"layer_norm", layer_norm},
      {"max_pool2d", pool<contrib_layers::max_pool2d>},
      {"avg_pool2d", pool<contrib_layers::avg_pool2d>},
      {"max_pool3d", pool<contrib_layers::max_pool3d>},
      {"avg_pool3d", pool<contrib_layers::avg_pool3d>},
      {"dropout", contrib_dropout},
      {"flatten", flatten},
      {"one_hot_encoding", one_hot_encoding},
      {"bias_add", bias_add},
      {"embed_sequence", embed_sequence},
      {"softmax", softmax},
      {"instance_norm", instance_norm},
      {"group_norm", group_norm},
      {"unit_norm", unit_norm},
      {"maxout", maxout}};
  return all;
}

nb::object contrib_layer(const std::string& name, nb::handle inputs, nb::handle settings) {
  PyObject* const seen[] = {inputs.ptr()};
  const InCallersPlace place(seen);
  return building([&] {
    const LayerFunction make = makers().at(name);
    const LayerArguments arguments(settings);
    std::optional<contrib_layers::ModelVariableDevice> there;
    if (arguments.has("variable_device"))
      there.emplace(device_choice_of(arguments.at("variable_device")));
    return give(make(tensor_of(inputs, "inputs"), arguments));
  });
}

}  // namespace

void bind_contrib_layers(nb::module_& m) {
  m.def("contrib_layer", contrib_layer);
  m.def("embedding_lookup_unique", [](nb::handle params, nb::handle ids,
                                      const std::string& strategy, const std::string& name) {
    PyObject* const seen[] = {params.ptr(), ids.ptr()};
    const InCallersPlace place(seen);
    return building([&] {
      std::vector<nn::EmbeddingTable::Shard> parts;
      for (nb::handle part : params) {
        if (is_variable(part)) {
          const Variable variable = variable_object(part).variable;
          parts.push_back({variable, variable.shape(), variable});
        } else {
          const Output tensor = tensor_of(part, "params");
          parts.push_back({tensor, tensor.shape()});
        }
      }
      return give(contrib_layers::embedding_lookup_unique(
          parts, tensor_of(ids, "ids"), {.partition_strategy = strategy, .name = name}));
    });
  });
  bind_contrib_regularizers(m);
  bind_slim_nets(m);
  m.def("tensor_aliases",
        [](nb::handle tensor) { return nb::cast(contrib_layers::aliases_of(tensor_of(tensor))); });
  m.def("add_tensor_alias", [](nb::handle tensor, const std::string& alias) {
    contrib_layers::add_alias(tensor_of(tensor), alias);
  });
  m.def("collect_named_output", [](const std::vector<std::string>& collections,
                                   const std::string& alias, nb::handle tensor) {
    return give(contrib_layers::collect_named_output(collections, alias, tensor_of(tensor)));
  });
}

}  // namespace rill::python
