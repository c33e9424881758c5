#include <map>

#include "layer_settings.h"
#include "rill/api/layers/contrib_layers.h"
#include "rill/api/layers/contrib_norms.h"

namespace rill::python {
namespace {

namespace contrib = rill::contrib::layers;

// The arguments of a function of tf.contrib.layers, as attributes of an object.
class Arguments : public Attributes {
 public:
  using Attributes::Attributes;

  std::vector<std::string> names(const char* name) const {
    const nb::object given = at(name);
    if (given.is_none()) return {};
    if (nb::isinstance<nb::str>(given)) return {str_of(given)};
    std::vector<std::string> all;
    for (nb::handle item : given) all.push_back(str_of(item));
    return all;
  }
  contrib::VariableCollections collections() const {
    const nb::object given = at("variables_collections");
    contrib::VariableCollections result;
    if (!nb::isinstance<nb::dict>(given)) {
      result.all = names("variables_collections");
      return result;
    }
    for (auto [name, list] : nb::borrow<nb::dict>(given)) {
      if (list.is_none()) continue;
      std::vector<std::string>& all = result.by_name[str_of(name)];
      if (nb::isinstance<nb::str>(list))
        all.push_back(str_of(list));
      else
        for (nb::handle item : list) all.push_back(str_of(item));
    }
    return result;
  }
  nn::Sizes sizes(const char* name) const {
    const nb::object given = at(name);
    if (nb::isinstance<nb::int_>(given)) return nb::cast<std::int64_t>(given);
    return integers(name);
  }
  std::string text_or_empty(const char* name) const { return has(name) ? text(name) : ""; }
  contrib::ScopeChoice scope() const {
    const nb::object given = at("scope");
    if (given.is_none()) return {};
    if (VariableScopeRef known = variable_scope_of(given)) return known;
    return str_of(given);
  }
  Input training() const {
    const nb::object given = at("is_training");
    if (is_tensor(given) || is_variable(given)) return input("is_training");
    return Input(PyObject_IsTrue(given.ptr()) == 1);
  }
};

// What most functions have in common.
template <class Options>
void read_common(const Arguments& a, Options& o) {
  if constexpr (requires { o.activation_fn; }) o.activation_fn = a.activation("activation_fn");
  if constexpr (requires { o.normalizer_fn; }) o.normalizer_fn = a.activation("normalizer_fn");
  if constexpr (requires { o.weights_initializer; }) {
    o.weights_initializer = a.initializer("weights_initializer");
    o.weights_regularizer = a.regularizer("weights_regularizer");
    o.biases_initializer = a.initializer("biases_initializer");
    o.biases_regularizer = a.regularizer("biases_regularizer");
  }
  if constexpr (requires { o.reuse; }) o.reuse = reuse_of(a.at("reuse"));
  if constexpr (requires { o.variables_collections; }) o.variables_collections = a.collections();
  if constexpr (requires { o.outputs_collections; })
    o.outputs_collections = a.names("outputs_collections");
  if constexpr (requires { o.trainable; }) o.trainable = a.flag("trainable");
  if constexpr (requires { o.data_format; })
    if (a.has("data_format")) o.data_format = a.text("data_format");
  if constexpr (std::is_same_v<decltype(o.scope), std::string>)
    o.scope = a.text_or_empty("scope");
  else
    o.scope = a.scope();
}

template <class Options>
void read_steps(const Arguments& a, Options& o) {
  o.stride = a.sizes("stride");
  o.padding = a.text("padding");
  if constexpr (requires { o.rate; })
    if (a.has("rate")) o.rate = a.sizes("rate");
}

Output fully_connected(Output x, const Arguments& a) {
  contrib::FullyConnectedOptions o;
  read_common(a, o);
  return contrib::fully_connected(x, a.integer("num_outputs"), o);
}

contrib::ConvolutionOptions conv_options(const Arguments& a) {
  contrib::ConvolutionOptions o;
  read_common(a, o);
  read_steps(a, o);
  if (a.has("conv_dims")) o.conv_dims = static_cast<int>(a.integer("conv_dims"));
  return o;
}
Output convolution(Output x, const Arguments& a) {
  return contrib::convolution(x, a.integer("num_outputs"), a.sizes("kernel_size"), conv_options(a));
}
Output conv2d_transpose(Output x, const Arguments& a) {
  return contrib::conv2d_transpose(x, a.integer("num_outputs"), a.sizes("kernel_size"),
                                   conv_options(a));
}
Output conv3d_transpose(Output x, const Arguments& a) {
  return contrib::conv3d_transpose(x, a.integer("num_outputs"), a.sizes("kernel_size"),
                                   conv_options(a));
}

Output separable_conv2d(Output x, const Arguments& a) {
  contrib::SeparableConvolutionOptions o;
  read_common(a, o);
  read_steps(a, o);
  o.depth_multiplier = a.integer("depth_multiplier");
  o.pointwise_initializer = a.initializer("pointwise_initializer");
  std::optional<std::int64_t> outputs;
  if (a.has("num_outputs")) outputs = a.integer("num_outputs");
  return contrib::separable_conv2d(x, outputs, a.sizes("kernel_size"), o);
}

template <class Options>
void read_initializers(const Arguments& a, Options& o) {
  o.center = a.flag("center");
  o.scale = a.flag("scale");
  o.epsilon = nb::cast<double>(a.at("epsilon"));
  if (a.has("param_initializers"))
    for (auto [name, item] : nb::borrow<nb::dict>(a.at("param_initializers")))
      o.param_initializers[str_of(name)] = initializer_of(item);
}

Output batch_norm(Output x, const Arguments& a) {
  contrib::BatchNormOptions o;
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
  return contrib::batch_norm(x, o);
}

Output layer_norm(Output x, const Arguments& a) {
  contrib::LayerNormOptions o;
  read_common(a, o);
  o.center = a.flag("center");
  o.scale = a.flag("scale");
  o.begin_norm_axis = static_cast<int>(a.integer("begin_norm_axis"));
  o.begin_params_axis = static_cast<int>(a.integer("begin_params_axis"));
  return contrib::layer_norm(x, o);
}

template <auto pool>
Output pool2d(Output x, const Arguments& a) {
  contrib::PoolOptions o;
  read_common(a, o);
  read_steps(a, o);
  return pool(x, a.sizes("kernel_size"), o, std::source_location::current());
}

Output dropout(Output x, const Arguments& a) {
  contrib::DropoutOptions o;
  read_common(a, o);
  o.keep_prob = a.input("keep_prob");
  o.is_training = a.training();
  if (a.has("seed")) o.seed = a.integer("seed");
  o.noise_shape = noise_shape_of(a.at("noise_shape"));
  return contrib::dropout(x, o);
}

Output flatten(Output x, const Arguments& a) {
  contrib::FlattenOptions o;
  read_common(a, o);
  return contrib::flatten(x, o);
}

Output one_hot_encoding(Output x, const Arguments& a) {
  contrib::OneHotOptions o;
  read_common(a, o);
  o.on_value = a.input("on_value");
  o.off_value = a.input("off_value");
  return contrib::one_hot_encoding(x, a.integer("num_classes"), o);
}

Output bias_add(Output x, const Arguments& a) {
  contrib::BiasAddOptions o;
  read_common(a, o);
  o.initializer = a.initializer("initializer");
  o.regularizer = a.regularizer("regularizer");
  return contrib::bias_add(x, o);
}

Output embed_sequence(Output x, const Arguments& a) {
  contrib::EmbedSequenceOptions o;
  read_common(a, o);
  if (a.has("vocab_size")) o.vocab_size = a.integer("vocab_size");
  if (a.has("embed_dim")) o.embed_dim = a.integer("embed_dim");
  o.initializer = a.initializer("initializer");
  o.regularizer = a.regularizer("regularizer");
  return contrib::embed_sequence(x, o);
}

Output instance_norm(Output x, const Arguments& a) {
  contrib::InstanceNormOptions o;
  read_common(a, o);
  read_initializers(a, o);
  return contrib::instance_norm(x, o);
}

Output group_norm(Output x, const Arguments& a) {
  contrib::GroupNormOptions o;
  read_common(a, o);
  read_initializers(a, o);
  o.groups = a.integer("groups");
  o.channels_axis = static_cast<int>(a.integer("channels_axis"));
  o.reduction_axes.clear();
  for (const std::int64_t axis : a.integers("reduction_axes"))
    o.reduction_axes.push_back(static_cast<int>(axis));
  return contrib::group_norm(x, o);
}

Output unit_norm(Output x, const Arguments& a) {
  const double epsilon = nb::cast<double>(a.at("epsilon"));
  return contrib::unit_norm(x, static_cast<int>(a.integer("dim")),
                            {.epsilon = epsilon, .scope = a.text_or_empty("scope")});
}

Output maxout(Output x, const Arguments& a) {
  const int axis = static_cast<int>(a.integer("axis"));
  return contrib::maxout(x, a.integer("num_units"),
                         {.axis = axis, .scope = a.text_or_empty("scope")});
}

Output softmax(Output x, const Arguments& a) { return contrib::softmax(x, a.scope()); }

using Make = Output (*)(Output, const Arguments&);
const std::map<std::string, Make>& makers() {
  static const std::map<std::string, Make> all{{"fully_connected", fully_connected},
                                               {"convolution", convolution},
                                               {"conv2d_transpose", conv2d_transpose},
                                               {"conv3d_transpose", conv3d_transpose},
                                               {"separable_conv2d", separable_conv2d},
                                               {"batch_norm", batch_norm},
                                               {"layer_norm", layer_norm},
                                               {"max_pool2d", pool2d<contrib::max_pool2d>},
                                               {"avg_pool2d", pool2d<contrib::avg_pool2d>},
                                               {"dropout", dropout},
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
    const Make make = makers().at(name);
    return give(make(tensor_of(inputs, "inputs"), Arguments(settings)));
  });
}

}  // namespace

void bind_contrib_layers(nb::module_& m) {
  m.def("contrib_layer", contrib_layer);
  bind_contrib_regularizers(m);
  m.def("tensor_aliases",
        [](nb::handle tensor) { return nb::cast(contrib::aliases_of(tensor_of(tensor))); });
  m.def("add_tensor_alias", [](nb::handle tensor, const std::string& alias) {
    contrib::add_alias(tensor_of(tensor), alias);
  });
  m.def("collect_named_output", [](const std::vector<std::string>& collections,
                                   const std::string& alias, nb::handle tensor) {
    return give(contrib::collect_named_output(collections, alias, tensor_of(tensor)));
  });
}

}  // namespace rill::python
