#include "rill/api/keras/layers.h"

#include "rill/api/keras/constraints.h"
#include "rill/api/keras/layer_config.h"
#include "rill/api/keras/plain_layers.h"
#include "rill/api/keras/recurrent_layers.h"
#include "rill/api/layers/layers.h"
#include "rill/base/error.h"

namespace rill::keras::layers {
namespace {

using rill::layers::LayerUse;
const LayerUse kOwned{.style = rill::layers::Style::kOwned};

rill::layers::LayerOptions base_of(const LayerArguments& a) {
  rill::layers::LayerOptions base;
  base.name = a.name;
  base.trainable = a.trainable;
  base.dtype = a.dtype;
  base.activity_regularizer = a.activity_regularizer;
  base.style = rill::layers::Style::kOwned;
  return base;
}

WeightRule rule(const Initializer& initializer, const Regularizer& regularizer = {},
                const std::function<Output(Output)>& constraint = {}) {
  return {initializer, regularizer, constraints::as_constraint(constraint)};
}

// What the arguments say, added to what the layer's own function was told.
LayerSettings settled(LayerSettings s, const LayerArguments& a) {
  if (a.activation) s.activation = a.activation;
  s.recurrent_activation = a.recurrent_activation;
  s.use_bias = a.use_bias;
  s.kernel = rule(a.kernel_initializer, a.kernel_regularizer, a.kernel_constraint);
  s.depthwise = s.embeddings = s.kernel;
  s.recurrent = rule(a.recurrent_initializer);
  s.bias = rule(a.bias_initializer, a.bias_regularizer, a.bias_constraint);
  if (!a.strides.empty()) s.strides = a.strides;
  s.padding = a.padding;
  s.data_format = a.data_format;
  s.dilation_rate = a.dilation_rate;
  s.depth_multiplier = a.depth_multiplier;
  s.dropout = a.dropout;
  s.recurrent_dropout = a.recurrent_dropout;
  s.reset_after = a.reset_after;
  s.unit_forget_bias = a.unit_forget_bias;
  s.mask_zero = a.mask_zero;
  s.seed = a.seed;
  s.epsilon = a.epsilon;
  return s;
}

// The layer, which knows what it was made of.
template <class L>
LayerRef finished(const char* class_name, const LayerSettings& s, const LayerArguments& a,
                  const std::shared_ptr<AsMade<L>>& layer) {
  layer->recipe = {class_name, s, a};
  LayerRef ref(layer);
  ref.input_shape = a.input_shape;
  return ref;
}

template <class L>
LayerRef made(const char* class_name, const LayerSettings& s, const LayerArguments& a) {
  const auto layer = std::make_shared<AsMade<L>>(class_name, base_of(a));
  layer->s = settled(s, a);
  return finished(class_name, s, a, layer);
}

std::string format_of(const LayerArguments& a) {
  return a.data_format.empty() ? backend::image_data_format() : a.data_format;
}

// Options that tf.layers has under the same names.
template <class Options>
Options shared_options(const LayerArguments& a) {
  Options o;
  if (a.activation) o.activation = a.activation->apply;
  o.use_bias = a.use_bias;
  o.kernel_initializer = a.kernel_initializer;
  o.bias_initializer = a.bias_initializer ? a.bias_initializer : zeros_initializer();
  o.kernel_regularizer = a.kernel_regularizer;
  o.bias_regularizer = a.bias_regularizer;
  if (a.activity_regularizer) o.activity_regularizer = a.activity_regularizer;
  o.kernel_constraint = constraints::as_constraint(a.kernel_constraint);
  o.bias_constraint = constraints::as_constraint(a.bias_constraint);
  o.trainable = a.trainable;
  o.dtype = a.dtype;
  o.name = a.name;
  return o;
}

template <class Conv>
LayerRef convolution(const char* class_name, const LayerSettings& s, const LayerArguments& a) {
  auto o = shared_options<rill::layers::ConvOptions>(a);
  if (!a.strides.empty()) o.strides = a.strides;
  if (!a.dilation_rate.empty()) o.dilation_rate = a.dilation_rate;
  o.padding = a.padding;
  o.data_format = format_of(a);
  return finished(class_name, s, a,
                  std::make_shared<AsMade<Conv>>(s.filters, s.kernel_size, o, kOwned));
}

template <class Pooling>
LayerRef pooling(const char* class_name, const LayerSettings& s, const LayerArguments& a) {
  rill::layers::PoolingOptions o;
  o.padding = a.padding;
  o.data_format = format_of(a);
  o.name = a.name;
  const auto& strides = a.strides.empty() ? s.pool_size : a.strides;
  return finished(class_name, s, a,
                  std::make_shared<AsMade<Pooling>>(s.pool_size, strides, o, kOwned));
}

// A layer of tf.layers that asks for the learning phase where a call does not say whether it
// trains.
template <class Base>
class Phased : public Base {
 public:
  using Base::Base;
  Output call(Output x, const CallArguments& given) override {
    CallArguments arguments = given;
    if (!arguments.training) arguments.training = backend::learning_phase();
    return Base::call(x, arguments);
  }
};

class LambdaLayer : public KerasLayer {
 public:
  LambdaLayer(std::function<Output(Output)> function, LayerOptions base)
      : KerasLayer("Lambda", std::move(base)), function_(std::move(function)) {}
  Output call(Output x, const CallArguments&) override { return function_(x); }

 private:
  std::function<Output(Output)> function_;
};

template <class CellClass>
LayerRef recurrent(const char* class_name, const LayerSettings& s, const LayerArguments& a) {
  LayerArguments of_cell = a;
  of_cell.name = rill::layers::snake_case(str_cat(class_name, "Cell"));
  auto cell = std::make_shared<CellClass>(of_cell.name, base_of(of_cell));
  cell->s = settled(s, a);
  const RecurrentOptions options{a.return_sequences, a.return_state, a.go_backwards, a.unroll};
  return finished(class_name, s, a,
                  std::make_shared<AsMade<Recurrent>>(class_name, base_of(a), cell, options));
}

LayerRef dense(const char* class_name, const LayerSettings& s, const LayerArguments& a) {
  const auto layer = std::make_shared<AsMade<rill::layers::Dense>>(
      s.units, shared_options<rill::layers::DenseOptions>(a), kOwned);
  layer->supports_masking = true;
  return finished(class_name, s, a, layer);
}
LayerRef dropout(const char* class_name, const LayerSettings& s, const LayerArguments& a) {
  rill::layers::DropoutOptions o;
  o.rate = s.rate;
  o.seed = a.seed;
  if (s.noise_shape) {
    o.noise_shape.emplace();
    for (const std::int64_t size : *s.noise_shape)
      o.noise_shape->push_back(size < 0 ? OptionalInput() : OptionalInput(size));
  }
  o.name = a.name;
  return finished(class_name, s, a,
                  std::make_shared<AsMade<Phased<rill::layers::Dropout>>>(o, kOwned));
}
LayerRef flatten(const char* class_name, const LayerSettings& s, const LayerArguments& a) {
  rill::layers::FlattenOptions o;
  o.data_format = format_of(a);
  o.name = a.name;
  return finished(class_name, s, a, std::make_shared<AsMade<rill::layers::Flatten>>(o, kOwned));
}
LayerRef batch_normalization(const char* class_name, const LayerSettings& s,
                             const LayerArguments& a) {
  rill::layers::BatchNormalizationOptions o;
  o.axis = {s.axis};
  o.momentum = a.momentum;
  o.epsilon = a.epsilon;
  o.center = s.center;
  o.scale = s.scale;
  o.beta_initializer = s.beta.initializer;
  o.beta_regularizer = s.beta.regularizer;
  o.beta_constraint = s.beta.constraint;
  o.gamma_initializer = s.gamma.initializer;
  o.gamma_regularizer = s.gamma.regularizer;
  o.gamma_constraint = s.gamma.constraint;
  o.name = a.name;
  o.trainable = a.trainable;
  return finished(class_name, s, a,
                  std::make_shared<AsMade<Phased<rill::layers::BatchNormalization>>>(o, kOwned));
}

// --- what programs call --------------------------------------------------------------------------

LayerSettings windowed(std::int64_t filters, std::vector<std::int64_t> size) {
  LayerSettings s;
  s.filters = filters;
  s.kernel_size = std::move(size);
  return s;
}
LayerSettings pooled_by(std::vector<std::int64_t> size) {
  LayerSettings s;
  s.pool_size = std::move(size);
  return s;
}

}  // namespace

LayerRef Dense(std::int64_t units, const LayerArguments& a) {
  return dense("Dense", {.units = units}, a);
}
LayerRef Activation(const keras::Activation& activation, const LayerArguments& a) {
  LayerSettings s;
  s.activation = activation;
  return made<layers::ActivationLayer>("Activation", s, a);
}
LayerRef Dropout(double rate, const LayerArguments& a) {
  LayerSettings s;
  s.rate = rate;
  return dropout("Dropout", s, a);
}
LayerRef Flatten(const LayerArguments& a) { return flatten("Flatten", {}, a); }
LayerRef Reshape(std::vector<std::int64_t> target_shape, const LayerArguments& a) {
  LayerSettings s;
  s.target_shape = std::move(target_shape);
  return made<layers::ReshapeLayer>("Reshape", s, a);
}
LayerRef Permute(std::vector<std::int64_t> dims, const LayerArguments& a) {
  LayerSettings s;
  s.dims = std::move(dims);
  return made<layers::PermuteLayer>("Permute", s, a);
}
LayerRef RepeatVector(std::int64_t n, const LayerArguments& a) {
  LayerSettings s;
  s.n = n;
  return made<layers::RepeatVectorLayer>("RepeatVector", s, a);
}
LayerRef Lambda(std::function<Output(Output)> function, const LayerArguments& a) {
  LayerRef ref(std::make_shared<LambdaLayer>(std::move(function), base_of(a)));
  ref.input_shape = a.input_shape;
  return ref;
}
LayerRef BatchNormalization(const LayerArguments& a) {
  return batch_normalization("BatchNormalization", {}, a);
}
LayerRef LayerNormalization(const LayerArguments& a) {
  return made<layers::LayerNormalizationLayer>("LayerNormalization", {}, a);
}
LayerRef Embedding(std::int64_t input_dim, std::int64_t output_dim, const LayerArguments& a) {
  LayerSettings s;
  s.input_dim = input_dim;
  s.output_dim = output_dim;
  return made<layers::EmbeddingLayer>("Embedding", s, a);
}

LayerRef Conv1D(std::int64_t filters, std::vector<std::int64_t> size, const LayerArguments& a) {
  return convolution<rill::layers::Conv1D>("Conv1D", windowed(filters, std::move(size)), a);
}
LayerRef Conv2D(std::int64_t filters, std::vector<std::int64_t> size, const LayerArguments& a) {
  return convolution<rill::layers::Conv2D>("Conv2D", windowed(filters, std::move(size)), a);
}
LayerRef Conv3D(std::int64_t filters, std::vector<std::int64_t> size, const LayerArguments& a) {
  return convolution<rill::layers::Conv3D>("Conv3D", windowed(filters, std::move(size)), a);
}
LayerRef DepthwiseConv2D(std::vector<std::int64_t> size, const LayerArguments& a) {
  return made<layers::DepthwiseConv2DLayer>("DepthwiseConv2D", windowed(0, std::move(size)), a);
}
LayerRef MaxPooling1D(std::vector<std::int64_t> size, const LayerArguments& a) {
  return pooling<rill::layers::MaxPooling1D>("MaxPooling1D", pooled_by(std::move(size)), a);
}
LayerRef MaxPooling2D(std::vector<std::int64_t> size, const LayerArguments& a) {
  return pooling<rill::layers::MaxPooling2D>("MaxPooling2D", pooled_by(std::move(size)), a);
}
LayerRef AveragePooling1D(std::vector<std::int64_t> size, const LayerArguments& a) {
  return pooling<rill::layers::AveragePooling1D>("AveragePooling1D", pooled_by(std::move(size)), a);
}
LayerRef AveragePooling2D(std::vector<std::int64_t> size, const LayerArguments& a) {
  return pooling<rill::layers::AveragePooling2D>("AveragePooling2D", pooled_by(std::move(size)), a);
}
LayerRef GlobalAveragePooling2D(const LayerArguments& a) {
  return made<GlobalAveragePooling>("GlobalAveragePooling2D", {}, a);
}
LayerRef GlobalMaxPooling2D(const LayerArguments& a) {
  return made<GlobalMaxPooling>("GlobalMaxPooling2D", {}, a);
}
LayerRef ZeroPadding2D(backend::Margins padding, const LayerArguments& a) {
  LayerSettings s;
  s.margins = std::move(padding);
  return made<ZeroPadding>("ZeroPadding2D", s, a);
}
LayerRef Cropping2D(backend::Margins cropping, const LayerArguments& a) {
  LayerSettings s;
  s.margins = std::move(cropping);
  return made<Cropping>("Cropping2D", s, a);
}
LayerRef UpSampling2D(std::vector<std::int64_t> size, const LayerArguments& a) {
  LayerSettings s;
  s.size = std::move(size);
  return made<UpSampling>("UpSampling2D", s, a);
}

LayerRef SimpleRNN(std::int64_t units, const LayerArguments& a) {
  return recurrent<SimpleRNNCell>("SimpleRNN", {.units = units}, a);
}
LayerRef GRU(std::int64_t units, const LayerArguments& a) {
  return recurrent<GRUCell>("GRU", {.units = units}, a);
}
LayerRef LSTM(std::int64_t units, const LayerArguments& a) {
  return recurrent<LSTMCell>("LSTM", {.units = units}, a);
}
LayerRef TimeDistributed(const LayerRef& layer, const LayerArguments& a) {
  const auto made = std::make_shared<AsMade<TimeDistributedLayer>>(base_of(a), layer.layer);
  const LayerRef ref = finished("TimeDistributed", {}, a, made);
  made->recipe.inner = layer.layer;
  return ref;
}

namespace {

template <class Conv>
LayerRef separable(const char* class_name, const LayerSettings& s, const LayerArguments& a) {
  rill::layers::SeparableConvOptions o;
  if (a.activation) o.activation = a.activation->apply;
  if (!a.strides.empty()) o.strides = a.strides;
  if (!a.dilation_rate.empty()) o.dilation_rate = a.dilation_rate;
  o.padding = a.padding;
  o.data_format = format_of(a);
  o.depth_multiplier = a.depth_multiplier;
  o.use_bias = a.use_bias;
  o.depthwise_initializer = o.pointwise_initializer = a.kernel_initializer;
  o.bias_initializer = a.bias_initializer ? a.bias_initializer : zeros_initializer();
  o.depthwise_regularizer = o.pointwise_regularizer = a.kernel_regularizer;
  o.bias_regularizer = a.bias_regularizer;
  o.trainable = a.trainable;
  o.dtype = a.dtype;
  o.name = a.name;
  return finished(class_name, s, a,
                  std::make_shared<AsMade<Conv>>(s.filters, s.kernel_size, o, kOwned));
}

LayerRef conv_lstm(const char* class_name, const LayerSettings& s, const LayerArguments& a) {
  LayerArguments of_cell = a;
  of_cell.name = "conv_lst_m2d_cell";
  auto cell = std::make_shared<ConvLSTM2DCell>("ConvLSTM2DCell", base_of(of_cell));
  cell->s = settled(s, a);
  const RecurrentOptions options{a.return_sequences, a.return_state, a.go_backwards, a.unroll};
  return finished(class_name, s, a,
                  std::make_shared<AsMade<Recurrent>>(class_name, base_of(a), cell, options));
}

struct Kind {
  const char* class_name;
  LayerRef (*make)(const char* class_name, const LayerSettings& s, const LayerArguments& a);
};
// `class`: layer_kinds.h has functions of the same names.
constexpr Kind kKinds[] = {
    {"Add", made<class Add>},
    {"Subtract", made<class Subtract>},
    {"Multiply", made<class Multiply>},
    {"Average", made<class Average>},
    {"Maximum", made<class Maximum>},
    {"Minimum", made<class Minimum>},
    {"Concatenate", made<class Concatenate>},
    {"Dot", made<class Dot>},
    {"Masking", made<class Masking>},
    {"SpatialDropout1D", made<class SpatialDropout>},
    {"SpatialDropout2D", made<class SpatialDropout>},
    {"GaussianNoise", made<class GaussianNoise>},
    {"GaussianDropout", made<class GaussianDropout>},
    {"AlphaDropout", made<class AlphaDropout>},
    {"LeakyReLU", made<class LeakyReLU>},
    {"PReLU", made<class PReLU>},
    {"ELU", made<class ELU>},
    {"ThresholdedReLU", made<class ThresholdedReLU>},
    {"Softmax", made<class Softmax>},
    {"ReLU", made<class ReLU>},
    {"GlobalAveragePooling1D", made<class GlobalAveragePooling>},
    {"GlobalAveragePooling3D", made<class GlobalAveragePooling>},
    {"GlobalMaxPooling1D", made<class GlobalMaxPooling>},
    {"GlobalMaxPooling3D", made<class GlobalMaxPooling>},
    {"ZeroPadding1D", made<class ZeroPadding>},
    {"ZeroPadding3D", made<class ZeroPadding>},
    {"Cropping1D", made<class Cropping>},
    {"Cropping3D", made<class Cropping>},
    {"UpSampling1D", made<class UpSampling>},
    {"UpSampling3D", made<class UpSampling>},
    {"LocallyConnected1D", made<class LocallyConnected>},
    {"LocallyConnected2D", made<class LocallyConnected>},
    {"Attention", made<class Attention>},
    {"AdditiveAttention", made<class AdditiveAttention>},
    {"ActivityRegularization", made<class ActivityRegularization>},
    {"SpatialDropout3D", made<class SpatialDropout>},
    {"MaxPooling1D", pooling<rill::layers::MaxPooling1D>},
    {"MaxPooling2D", pooling<rill::layers::MaxPooling2D>},
    {"MaxPooling3D", pooling<rill::layers::MaxPooling3D>},
    {"AveragePooling1D", pooling<rill::layers::AveragePooling1D>},
    {"AveragePooling2D", pooling<rill::layers::AveragePooling2D>},
    {"AveragePooling3D", pooling<rill::layers::AveragePooling3D>},
    {"Conv1D", convolution<rill::layers::Conv1D>},
    {"Conv2D", convolution<rill::layers::Conv2D>},
    {"Conv3D", convolution<rill::layers::Conv3D>},
    {"Conv2DTranspose", convolution<rill::layers::Conv2DTranspose>},
    {"Conv3DTranspose", convolution<rill::layers::Conv3DTranspose>},
    {"DepthwiseConv2D", made<DepthwiseConv2DLayer>},
    {"Dense", dense},
    {"Activation", made<ActivationLayer>},
    {"Dropout", dropout},
    {"Flatten", flatten},
    {"Reshape", made<ReshapeLayer>},
    {"Permute", made<PermuteLayer>},
    {"RepeatVector", made<RepeatVectorLayer>},
    {"BatchNormalization", batch_normalization},
    {"LayerNormalization", made<LayerNormalizationLayer>},
    {"Embedding", made<EmbeddingLayer>},
    {"GlobalAveragePooling2D", made<class GlobalAveragePooling>},
    {"GlobalMaxPooling2D", made<class GlobalMaxPooling>},
    {"ZeroPadding2D", made<class ZeroPadding>},
    {"Cropping2D", made<class Cropping>},
    {"UpSampling2D", made<class UpSampling>},
    {"SimpleRNN", recurrent<class SimpleRNNCell>},
    {"GRU", recurrent<class GRUCell>},
    {"LSTM", recurrent<class LSTMCell>},
    {"SeparableConv1D", separable<rill::layers::SeparableConv1D>},
    {"SeparableConv2D", separable<rill::layers::SeparableConv2D>},
    {"ConvLSTM2D", conv_lstm},
};

}  // namespace

LayerRef make(const std::string& class_name, const LayerSettings& s, const LayerArguments& a) {
  for (const Kind& kind : kKinds)
    if (class_name == kind.class_name) return kind.make(kind.class_name, s, a);
  raise(Code::kInvalidArgument, "Unknown layer: ", class_name);
}

Output add(const std::vector<Output>& inputs) { return make("Add")(inputs); }
Output multiply(const std::vector<Output>& inputs) { return make("Multiply")(inputs); }
Output concatenate(const std::vector<Output>& inputs, int axis) {
  LayerSettings s;
  s.axis = axis;
  return make("Concatenate", s)(inputs);
}

}  // namespace rill::keras::layers
