#include "keras.h"
#include "layers.h"
#include "plain_values.h"
#include "rill/api/keras/network.h"
#include "rill/api/keras/plain_layers.h"
#include "rill/api/keras/recurrent_layers.h"
#include "variable_scopes.h"

namespace rill::python {
namespace {

// What the attributes of a layer's object say, as the dict of its class's settings.
class LayerReader {
 public:
  explicit LayerReader(nb::handle self) : s_(nb::cast<nb::dict>(self.attr("__dict__"))) {}

  void into(keras::LayerSettings& o) const {
    sizes(o);
    flags(o);
    weights(o);
    numbers(o);
    o.activation = activation("activation");
    o.recurrent_activation = activation("recurrent_activation");
  }

 private:
  void sizes(keras::LayerSettings& o) const {
    o.units = s_.integer("units");
    o.filters = s_.integer("filters");
    o.n = s_.integer("n");
    o.depth_multiplier = s_.integer("depth_multiplier", 1);
    o.input_dim = s_.integer("input_dim");
    o.output_dim = s_.integer("output_dim");
    o.kernel_size = s_.integers("kernel_size");
    o.strides = s_.integers("strides");
    o.pool_size = s_.integers("pool_size");
    o.size = s_.integers("size");
    o.dilation_rate = s_.integers("dilation_rate");
    o.target_shape = s_.integers("target_shape");
    o.dims = s_.integers("dims");
    o.axes = s_.integers("axes");
    o.shared_axes = s_.integers("shared_axes");
    if (s_.has("axis")) {
      const std::vector<std::int64_t> axis = s_.integers("axis");
      o.axis = axis.empty() ? -1 : static_cast<int>(axis.front());
      if (o.axes.empty()) o.axes = axis;
    }
    o.data_format = s_.text("data_format");
    o.interpolation = s_.text("interpolation", "nearest");
    for (const char* name : {"padding", "cropping"}) {
      if (!s_.has(name)) continue;
      if (PyUnicode_Check(s_[name].ptr())) {
        o.padding = s_.text(name);
        continue;
      }
      o.margins.clear();
      for (nb::handle pair : s_[name])
        o.margins.emplace_back(integer_of(nb::object(pair[0])), integer_of(nb::object(pair[1])));
    }
    if (s_.has("noise_shape") && !has_none(s_["noise_shape"]))
      o.noise_shape = s_.integers("noise_shape");
    o.seed = s_.optional_integer("seed");
  }
  void flags(keras::LayerSettings& o) const {
    o.use_bias = s_.flag("use_bias", true);
    o.normalize = s_.flag("normalize");
    o.use_scale = s_.flag("use_scale");
    o.center = s_.flag("center", true);
    o.scale = s_.flag("scale", true);
    o.mask_zero = s_.flag("mask_zero");
    o.unit_forget_bias = s_.flag("unit_forget_bias", true);
    o.reset_after = s_.flag("reset_after");
  }
  void weights(keras::LayerSettings& o) const {
    o.kernel = rule("kernel");
    o.recurrent = rule("recurrent");
    o.bias = rule("bias");
    o.depthwise = rule("depthwise");
    o.embeddings = rule("embeddings");
    o.alpha_weight = rule("alpha");
    o.beta = rule("beta");
    o.gamma = rule("gamma");
  }
  void numbers(keras::LayerSettings& o) const {
    const std::pair<const char*, double*> all[] = {{"rate", &o.rate},
                                                   {"stddev", &o.stddev},
                                                   {"mask_value", &o.mask_value},
                                                   {"alpha", &o.alpha},
                                                   {"theta", &o.theta},
                                                   {"negative_slope", &o.negative_slope},
                                                   {"threshold", &o.threshold},
                                                   {"epsilon", &o.epsilon},
                                                   {"dropout", &o.dropout},
                                                   {"recurrent_dropout", &o.recurrent_dropout}};
    for (const auto& [name, value] : all)
      if (s_.has(name) && PyNumber_Check(s_[name].ptr()) != 0 && !is_variable(s_[name]))
        *value = s_.number(name, *value);
    o.max_value = s_.optional_number("max_value");
    o.implementation = static_cast<int>(s_.integer("implementation", 1));
  }
  static bool has_none(nb::handle list) {
    for (nb::handle item : list)
      if (item.is_none()) return true;
    return false;
  }
  keras::WeightRule rule(const std::string& name) const {
    return {initializer_of(s_[(name + "_initializer").c_str()]),
            regularizer_of(s_[(name + "_regularizer").c_str()]),
            constraint_function(s_[(name + "_constraint").c_str()])};
  }
  std::optional<keras::Activation> activation(const char* name) const {
    if (!s_.has(name)) return {};
    return keras::Activation(function_of(s_[name]));
  }

  Settings s_;
};

template <class Layer>
void read(nb::handle self, Layer& layer) {
  LayerReader(self).into(layer.s);
}
template <class Layer>
void kind(const char* name) {
  add_layer_kind(name, make_layer<Layer, read<Layer>>);
}

}  // namespace

void bind_keras_layers(nb::module_& m) {
  namespace k = keras::layers;
  add_layer_kind("InputLayer", make_layer<keras::InputLayer>);
  kind<k::ActivationLayer>("Activation");
  kind<k::ReshapeLayer>("Reshape");
  kind<k::PermuteLayer>("Permute");
  kind<k::RepeatVectorLayer>("RepeatVector");
  kind<k::Masking>("Masking");
  kind<k::ActivityRegularization>("ActivityRegularization");
  kind<k::SpatialDropout>("SpatialDropout");
  kind<k::GaussianNoise>("GaussianNoise");
  kind<k::GaussianDropout>("GaussianDropout");
  kind<k::AlphaDropout>("AlphaDropout");
  kind<k::LeakyReLU>("LeakyReLU");
  kind<k::PReLU>("PReLU");
  kind<k::ELU>("ELU");
  kind<k::ThresholdedReLU>("ThresholdedReLU");
  kind<k::Softmax>("Softmax");
  kind<k::ReLU>("ReLU");
  kind<k::LayerNormalizationLayer>("LayerNormalization");
  kind<k::EmbeddingLayer>("Embedding");
  kind<k::ZeroPadding>("ZeroPadding");
  kind<k::Cropping>("Cropping");
  kind<k::UpSampling>("UpSampling");
  kind<k::GlobalAveragePooling>("GlobalAveragePooling");
  kind<k::GlobalMaxPooling>("GlobalMaxPooling");
  kind<k::DepthwiseConv2DLayer>("DepthwiseConv2D");
  kind<k::LocallyConnected>("LocallyConnected");
  kind<k::Add>("Add");
  kind<k::Subtract>("Subtract");
  kind<k::Multiply>("Multiply");
  kind<k::Average>("Average");
  kind<k::Maximum>("Maximum");
  kind<k::Minimum>("Minimum");
  kind<k::Concatenate>("Concatenate");
  kind<k::Dot>("Dot");
  kind<k::Attention>("Attention");
  kind<k::AdditiveAttention>("AdditiveAttention");
  kind<k::SimpleRNNCell>("SimpleRNNCell");
  kind<k::GRUCell>("GRUCell");
  kind<k::LSTMCell>("LSTMCell");
  kind<k::ConvLSTM2DCell>("ConvLSTM2DCell");
  m.def("keras_reset_masks", [](nb::handle cell) {
    if (auto* known = dynamic_cast<k::Cell*>(layer_of(cell).get())) known->reset_masks();
  });
}

}  // namespace rill::python
