#include "layer_settings.h"
#include "plain_values.h"
#include "rill/api/layers/layers.h"

namespace rill::python {
namespace {

void read_dense(nb::handle self, layers::Dense& layer) {
  const Attributes a(self);
  layer.units = a.integer("units");
  layers::DenseOptions& o = layer.options;
  o.activation = a.activation("activation");
  o.use_bias = a.flag("use_bias");
  o.kernel_initializer = a.initializer("kernel_initializer");
  o.bias_initializer = a.initializer("bias_initializer");
  o.kernel_regularizer = a.regularizer("kernel_regularizer");
  o.bias_regularizer = a.regularizer("bias_regularizer");
  o.kernel_constraint = a.constraint("kernel_constraint");
  o.bias_constraint = a.constraint("bias_constraint");
  a.weight("kernel", layer.kernel);
  a.weight("bias", layer.bias);
}

void read_dropout(nb::handle self, layers::Dropout& layer) {
  const Attributes a(self);
  layers::DropoutOptions& o = layer.options;
  o.rate = a.input("rate");
  o.seed.reset();
  if (a.has("seed")) o.seed = a.integer("seed");
  o.noise_shape = noise_shape_of(a.at("noise_shape"));
}

void read_flatten(nb::handle self, layers::Flatten& layer) {
  layer.options.data_format = Attributes(self).text("data_format");
}

void read_sizes(const Attributes& a, layers::Conv& layer) {
  layer.filters = a.has("filters") ? a.integer("filters") : 1;
  layer.kernel_size = a.integers("kernel_size");
  layer.strides = a.integers("strides");
  layer.dilation_rate = a.integers("dilation_rate");
}

void read_conv_base(const Attributes& a, layers::Conv& layer) {
  read_sizes(a, layer);
  layers::ConvOptions& o = layer.options;
  o.padding = a.text("padding");
  o.data_format = a.text("data_format");
  o.activation = a.activation("activation");
  o.use_bias = a.flag("use_bias");
  o.bias_initializer = a.initializer("bias_initializer");
  o.bias_regularizer = a.regularizer("bias_regularizer");
  o.bias_constraint = a.constraint("bias_constraint");
  a.weight("bias", layer.bias);
}

template <class Conv>
void read_conv(nb::handle self, Conv& layer) {
  const Attributes a(self);
  read_conv_base(a, layer);
  layers::ConvOptions& o = layer.options;
  o.kernel_initializer = a.initializer("kernel_initializer");
  o.kernel_regularizer = a.regularizer("kernel_regularizer");
  o.kernel_constraint = a.constraint("kernel_constraint");
  a.weight("kernel", layer.kernel);
}

template <class Conv>
void read_conv_transpose(nb::handle self, Conv& layer) {
  read_conv(self, layer);
  const Attributes a(self);
  layer.output_padding =
      a.has("output_padding") ? a.integers("output_padding") : std::vector<std::int64_t>();
}

template <class Conv>
void read_separable(nb::handle self, Conv& layer) {
  const Attributes a(self);
  read_conv_base(a, layer);
  layer.depth_multiplier = a.integer("depth_multiplier");
  layer.depthwise = {a.initializer("depthwise_initializer"), a.regularizer("depthwise_regularizer"),
                     a.constraint("depthwise_constraint")};
  layer.pointwise = {a.initializer("pointwise_initializer"), a.regularizer("pointwise_regularizer"),
                     a.constraint("pointwise_constraint")};
  a.weight("depthwise_kernel", layer.depthwise_kernel);
  a.weight("pointwise_kernel", layer.pointwise_kernel);
}

template <class Pooling>
void read_pooling(nb::handle self, Pooling& layer) {
  const Attributes a(self);
  layer.pool_size = a.integers("pool_size");
  layer.strides = a.integers("strides");
  layer.options.padding = a.text("padding");
  layer.options.data_format = a.text("data_format");
}

void read_renorm(const Attributes& a, layers::BatchNormalizationOptions& o) {
  o.renorm = a.flag("renorm");
  if (!o.renorm) return;
  o.renorm_clipping = renorm_clipping_of(a.at("renorm_clipping"));
  o.renorm_momentum = a.input("renorm_momentum");
}

void read_batch_normalization(nb::handle self, layers::BatchNormalization& layer) {
  const Attributes a(self);
  layers::BatchNormalizationOptions& o = layer.options;
  o.axis.clear();
  const nb::object axis = a.at("axis");
  if (is_sequence(axis))
    for (nb::handle item : axis) o.axis.push_back(small_integer_of(item));
  else
    o.axis.push_back(small_integer_of(axis));
  o.momentum = a.input("momentum");
  o.epsilon = number_of(nb::float_(a.at("epsilon")));
  o.center = a.flag("center");
  o.scale = a.flag("scale");
  o.beta_initializer = a.initializer("beta_initializer");
  o.gamma_initializer = a.initializer("gamma_initializer");
  o.moving_mean_initializer = a.initializer("moving_mean_initializer");
  o.moving_variance_initializer = a.initializer("moving_variance_initializer");
  o.beta_regularizer = a.regularizer("beta_regularizer");
  o.gamma_regularizer = a.regularizer("gamma_regularizer");
  o.beta_constraint = a.constraint("beta_constraint");
  o.gamma_constraint = a.constraint("gamma_constraint");
  read_renorm(a, o);
  o.fused = a.has("fused") ? std::optional(a.flag("fused")) : std::nullopt;
  o.virtual_batch_size.reset();
  if (a.has("virtual_batch_size")) o.virtual_batch_size = a.integer("virtual_batch_size");
  o.adjustment = adjustment_of(a.at("adjustment"));
}

nn::Sizes sizes_in(nb::handle value, std::size_t count, const std::string& name) {
  if (PyLong_Check(value.ptr())) return integer_of(value);
  std::vector<std::int64_t> all;
  try {
    for (nb::handle item : value) all.push_back(integer_of(nb::int_(item)));
  } catch (const std::exception&) {
    value_error("The `", name, "` argument must be a tuple of ", count,
                " integers. Received: ", repr_of(value));
  }
  if (all.size() == 1 && count != 1)
    value_error("The `", name, "` argument must be a tuple of ", count,
                " integers. Received: ", repr_of(value));
  return all;
}

template <class Pooling>
void add_pooling(const char* kind) {
  add_layer_kind(kind, make_layer<Pooling, read_pooling<Pooling>>);
}

template <class Conv>
void add_conv(const char* kind) {
  add_layer_kind(kind, make_layer<Conv, read_conv<Conv>>);
}

void add_kinds() {
  using namespace layers;
  add_layer_kind("Dense", make_layer<Dense, read_dense>);
  add_layer_kind("Dropout", make_layer<Dropout, read_dropout>);
  add_layer_kind("Flatten", make_layer<Flatten, read_flatten>);
  add_conv<Conv1D>("Conv1D");
  add_conv<Conv2D>("Conv2D");
  add_conv<Conv3D>("Conv3D");
  add_layer_kind("Conv2DTranspose",
                 make_layer<Conv2DTranspose, read_conv_transpose<Conv2DTranspose>>);
  add_layer_kind("Conv3DTranspose",
                 make_layer<Conv3DTranspose, read_conv_transpose<Conv3DTranspose>>);
  add_layer_kind("SeparableConv1D", make_layer<SeparableConv1D, read_separable<SeparableConv1D>>);
  add_layer_kind("SeparableConv2D", make_layer<SeparableConv2D, read_separable<SeparableConv2D>>);
  add_pooling<MaxPooling1D>("MaxPooling1D");
  add_pooling<MaxPooling2D>("MaxPooling2D");
  add_pooling<MaxPooling3D>("MaxPooling3D");
  add_pooling<AveragePooling1D>("AveragePooling1D");
  add_pooling<AveragePooling2D>("AveragePooling2D");
  add_pooling<AveragePooling3D>("AveragePooling3D");
  add_layer_kind("BatchNormalization", make_layer<BatchNormalization, read_batch_normalization>);
}

}  // namespace

void bind_layer_kinds(nb::module_& m) {
  add_kinds();
  m.def(
      "layer_sizes",
      [](nb::handle value, std::size_t count, const std::string& name, std::int64_t least) {
        return building([&] {
          const nn::Sizes sizes = sizes_in(value, count, name);
          return nb::tuple(nb::cast(layers::checked_sizes(sizes, count, name, least)));
        });
      },
      nb::arg("value").none(), nb::arg("count"), nb::arg("name"), nb::arg("least"));
  m.def("layer_padding", [](const std::string& padding) {
    return building([&] { return layers::checked_padding(padding); });
  });
  m.def("layer_data_format", [](const std::string& format) {
    return building([&] { return layers::checked_data_format(format); });
  });
  m.def("normalization_state", [](nb::handle layer) {
    const auto& normalization = dynamic_cast<layers::BatchNormalization&>(*layer_of(layer));
    return nb::make_tuple(nb::cast(normalization.axes), normalization.is_fused);
  });
}

}  // namespace rill::python
