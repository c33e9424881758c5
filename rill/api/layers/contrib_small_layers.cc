#include "rill/api/layers/contrib_small_layers.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/plain_ops.h"
#include "rill/api/gradients/custom_gradient.h"
#include "rill/api/layers/contrib_scope.h"
#include "rill/api/math/math.h"
#include "rill/api/nn/convolution.h"
#include "rill/api/nn/embedding.h"
#include "rill/api/nn/softmax.h"
#include "rill/base/error.h"

namespace rill::contrib::layers {
namespace {

std::int64_t last_size(const Output& x, int axis) {
  require(x.shape().has_rank() && x.shape().rank() > 1,
          "rank of x must be at least 2 not: ", x.shape());
  const std::int64_t channels = x.shape().dim(axis < 0 ? x.shape().rank() + axis : axis);
  require(channels >= 0, "last dimension of x must be known but is None");
  return channels;
}

GetVariableOptions weight_options(const PartialShape& shape, DType dtype,
                                  const Initializer& initializer, const Regularizer& regularizer,
                                  Names collections, bool trainable) {
  collections.emplace_back(GraphKeys::GLOBAL_VARIABLES);
  GetVariableOptions options;
  options.shape = shape;
  options.dtype = dtype;
  options.initializer = initializer;
  options.regularizer = regularizer;
  options.collections = std::move(collections);
  options.trainable = trainable;
  return options;
}

// `flat`, whose rows were the positions of `like`, with the dimensions of `like` but for the last.
Output unflattened(Output flat, Output like, std::int64_t last) {
  std::vector<Output> sizes = unstack(shape(like));
  std::vector<Input> wanted(sizes.begin(), sizes.end());
  wanted.back() = Input(static_cast<std::int32_t>(last));
  const Output whole = reshape(flat, stack(Inputs(wanted)));
  PartialShape known;
  for (int i = 0; i + 1 < like.shape().rank(); ++i) known.add_dim(like.shape().dim(i));
  known.add_dim(last);
  whole.set_shape(known);
  return whole;
}

}  // namespace

Output elu(Output inputs, std::int64_t num_outputs, FullyConnectedOptions options,
           std::source_location at) {
  options.activation_fn = nn::elu;
  return fully_connected(std::move(inputs), num_outputs, options, at);
}

Output legacy_fully_connected(Output x, std::int64_t num_output_units,
                              const LegacyFullyConnectedOptions& o, std::source_location at) {
  const auto in = o.name.empty()
                      ? VariableScopeBlock::with_default_name("fully_connected", {}, at)
                      : std::make_unique<VariableScopeBlock>(o.name, VariableScopeOptions{}, at);
  const std::int64_t units = last_size(x, -1);
  const DType dtype = base_type(x.dtype());
  const auto weights = get_variable(
      "weights", weight_options(PartialShape{units, num_output_units}, dtype, o.weight_init,
                                o.weight_regularizer, o.weight_collections, o.trainable));
  const bool is_matrix = x.shape().rank() == 2;
  Output y = matmul(is_matrix ? x : reshape(x, {-1, units}), weights);
  if (o.bias_init) {
    const auto bias =
        get_variable("bias", weight_options(PartialShape{num_output_units}, dtype, o.bias_init,
                                            o.bias_regularizer, o.bias_collections, o.trainable));
    y = nn::bias_add(y, bias);
  }
  if (!is_matrix) y = unflattened(y, x, num_output_units);
  y = o.activation_fn(y);
  add_to_collections(o.output_collections, y);
  return y;
}

Output legacy_linear(Output x, std::int64_t num_output_units,
                     const LegacyFullyConnectedOptions& options, std::source_location at) {
  return legacy_fully_connected(std::move(x), num_output_units, options, at);
}

Output legacy_relu(Output x, std::int64_t num_output_units, LegacyFullyConnectedOptions options,
                   std::source_location at) {
  options.activation_fn = nn::relu;
  return legacy_fully_connected(std::move(x), num_output_units, options, at);
}

nn::Sizes for_each_dimension(const nn::Sizes& sizes, int spatial) {
  if (sizes.values().size() != 1) return sizes;
  return std::vector<std::int64_t>(static_cast<std::size_t>(spatial), sizes.values()[0]);
}

Output conv2d_in_plane(Output inputs, const nn::Sizes& kernel_size, const InPlaneOptions& o,
                       std::source_location at) {
  const auto in = model_scope(o.scope, "ConvInPlane", o.reuse, {}, at);
  const std::int64_t channels = last_size(inputs, -1);
  const DType dtype = base_type(inputs.dtype());
  const auto kernel = kernel_size.of_space(2, "kernel_size"),
             stride = for_each_dimension(o.stride, 2).of_space(2, "stride");
  const Variable weights =
      model_variable("weights", PartialShape{kernel[0], kernel[1], 1, 1}, dtype,
                     o.weights_initializer, o.weights_regularizer, o.trainable);
  collect(rill::layers::Weight(weights), "weights", o.variables_collections);
  const Output each = tile(weights, {1, 1, channels, 1});
  Output y = nn::depthwise_conv2d(inputs, each, nn::Sizes{1, stride[0], stride[1], 1}, o.padding);
  if (!o.normalizer_fn && o.biases_initializer) {
    const Variable biases = model_variable("biases", PartialShape{channels}, dtype,
                                           o.biases_initializer, o.biases_regularizer, o.trainable);
    collect(rill::layers::Weight(biases), "biases", o.variables_collections);
    y = nn::bias_add(y, biases);
  }
  return finished(y, o.normalizer_fn, o.activation_fn, o.outputs_collections, *in);
}

SparseTensor dense_to_sparse(const Input& tensor, const Input& eos_token,
                             const SmallLayerOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "dense_to_sparse", Reuse::kUnset, {}, at);
  const Output x = as_tensor(tensor, "tensor");
  const Output indices = where(not_equal(x, as_tensor(eos_token, "Const", base_type(x.dtype()))));
  const Output values = gather_nd(x, indices);
  const SparseTensor sparse(indices, values, rill::shape(x, ShapeOptions{.out_type = DType::i64}));
  collect_named_output(o.outputs_collections, in->scope()->name, sparse.values);
  return sparse;
}

namespace {

Output embeddings_of(std::int64_t vocab_size, std::int64_t embed_dim, const BowEncoderOptions& o) {
  return model_variable("embeddings", PartialShape{vocab_size, embed_dim}, DType::f32,
                        o.initializer, o.regularizer, o.trainable)
      .value();
}

}  // namespace

Output bow_encoder(const SparseTensor& ids, std::int64_t vocab_size, std::int64_t embed_dim,
                   const BowEncoderOptions& o, std::source_location at) {
  require(o.sparse_lookup, "ids are expected to be dense Tensor, got: a SparseTensor");
  const auto in = model_scope(o.scope, "bow_encoder", o.reuse, {}, at);
  const Output table = embeddings_of(vocab_size, embed_dim, o);
  return nn::embedding_lookup_sparse({table}, ids, nn::SparseEmbeddingOptions{.combiner = "mean"});
}

Output bow_encoder(Output ids, std::int64_t vocab_size, std::int64_t embed_dim,
                   const BowEncoderOptions& o, std::source_location at) {
  const auto in = model_scope(o.scope, "bow_encoder", o.reuse, {}, at);
  const Output table = embeddings_of(vocab_size, embed_dim, o);
  if (!o.sparse_lookup) return reduce_mean(nn::embedding_lookup({table}, ids), {.axis = 1});
  const Output indices = where(not_equal(ids, as_tensor(-1, "Const", base_type(ids.dtype()))));
  const SparseTensor sparse(indices, gather_nd(ids, indices),
                            rill::shape(ids, ShapeOptions{.out_type = DType::i64}));
  return nn::embedding_lookup_sparse({table}, sparse,
                                     nn::SparseEmbeddingOptions{.combiner = "mean"});
}

Output images_to_sequence(Output inputs, const ImagesToSequenceOptions& o,
                          std::source_location at) {
  const Block in(o.scope, "ImagesToSequence", at);
  if (nn::is_channels_first(o.data_format)) inputs = transpose(inputs, {.perm = {0, 2, 3, 1}});
  require(inputs.shape().rank() == 4, "pictures have four dimensions, not the shape ",
          inputs.shape());
  const std::int64_t width = inputs.shape().dim(2), channels = inputs.shape().dim(3);
  require(width >= 0 && channels >= 0,
          "the width and the channels must be known: ", inputs.shape());
  const Output sizes = shape(inputs);
  const Output rows = sizes[0] * sizes[1];
  const Output columns = reshape(inputs, stack({rows, width, channels}));
  const Output sequence = transpose(columns, {.perm = {1, 0, 2}});
  sequence.set_shape({width, -1, channels});
  return collect_named_output(o.outputs_collections, current_scope().name(), sequence);
}

Output sequence_to_images(Output inputs, std::int64_t height, const SequenceToImagesOptions& o,
                          std::source_location at) {
  const Block in(o.scope, "SequenceToImages", at);
  require(inputs.shape().rank() == 3 && height > 0,
          "a sequence of columns has three dimensions, and pictures a positive height");
  const std::int64_t width = inputs.shape().dim(0), batches = inputs.shape().dim(1);
  const std::int64_t depth = inputs.shape().dim(2);
  const Output apart = reshape(inputs, {width, batches < 0 ? -1 : batches / height, height, depth});
  const Output images = o.output_data_format == "channels_first"
                            ? transpose(apart, {.perm = {1, 3, 2, 0}})
                            : transpose(apart, {.perm = {1, 2, 0, 3}});
  return collect_named_output(o.outputs_collections, current_scope().name(), images);
}

Output spatial_softmax(Output features, const SpatialSoftmaxOptions& o, std::source_location at) {
  const auto in = o.name.empty()
                      ? VariableScopeBlock::with_default_name("spatial_softmax", {}, at)
                      : std::make_unique<VariableScopeBlock>(o.name, VariableScopeOptions{}, at);
  require(features.shape().rank() == 4, "pictures have four dimensions, not the shape ",
          features.shape());
  const bool first = nn::is_channels_first(o.data_format);
  if (!first) features = transpose(features, {.perm = {0, 3, 1, 2}});
  const std::int64_t channels = features.shape().dim(1), height = features.shape().dim(2),
                     width = features.shape().dim(3);
  require(channels >= 0 && height > 0 && width > 0,
          "height, width and channels must be known: ", features.shape());
  const std::vector<Output> places =
      meshgrid({linspace(-1.0f, 1.0f, static_cast<std::int32_t>(height)),
                linspace(-1.0f, 1.0f, static_cast<std::int32_t>(width))},
               {.indexing = "ij"});
  Output temperature;
  if (o.temperature.has_value()) {
    temperature = as_tensor(o.temperature.value(), "temperature", DType::f32);
  } else {
    GetVariableOptions options =
        weight_options(PartialShape::scalar(), DType::f32, ones_initializer(), {},
                       o.variables_collections, o.trainable);
    temperature = get_variable("temperature", options).value();
  }
  const Output flat = reshape(features, {-1, height * width});
  const Output attention = nn::softmax(flat / temperature);
  const auto expected = [&](const Output& place) {
    return reduce_sum(reshape(place, {height * width}) * attention, {.axis = 1, .keepdims = true});
  };
  const Output both = concat(std::vector<Output>{expected(places[0]), expected(places[1])}, 1);
  const Output points = reshape(both, {-1, channels * 2});
  points.set_shape({-1, channels * 2});
  return points;
}

Output scale_gradient(Output inputs, const Input& gradient_multiplier, std::source_location at) {
  const Output factor = as_tensor(gradient_multiplier, "factor", base_type(inputs.dtype()));
  return rill::custom_gradient(
      [factor](const std::vector<Output>& args) {
        return WithGradient{.results = {identity(args[0])},
                            .grad = [factor](const std::vector<Gradient>& dys) {
                              return std::vector<Gradient>{dys[0].dense() * factor};
                            }};
      },
      {inputs}, at)[0];
}

// --- divisive normalisation ----------------------------------------------------------------------

namespace {

// max(x, bound), whose gradient also lets x grow that is below the bound.
Output bounded_below(Output x, double bound) {
  const Output least = as_tensor(bound, "bound", base_type(x.dtype()));
  return rill::custom_gradient(
      [least](const std::vector<Output>& args) {
        return WithGradient{.results = {maximum(args[0], least)},
                            .grad = [x = args[0], least](const std::vector<Gradient>& dys) {
                              const Output dy = dys[0].dense();
                              const Output passes = logical_or(x >= least, dy < zeros_like(dy));
                              return std::vector<Gradient>{where(passes, dy, zeros_like(dy))};
                            }};
      },
      {x})[0];
}

// A parameter that is kept as a square root, so that it stays above `minimum`.
Output squared_parameter(const std::string& name, const Tensor& start, double minimum,
                         const GdnOptions& o) {
  const double pedestal = o.reparam_offset * o.reparam_offset;
  Tensor roots(DType::f32, start.shape());
  for (std::int64_t i = 0; i < start.element_count(); ++i)
    roots.data<float>()[i] =
        static_cast<float>(std::sqrt(std::max(start.data<float>()[i] + pedestal, pedestal)));
  GetVariableOptions options;
  options.initializer = constant_initializer(roots);
  options.shape = PartialShape(start.shape());
  options.dtype = DType::f32;
  options.trainable = o.trainable;
  const Output bounded =
      bounded_below(get_variable(name, options).value(), std::sqrt(minimum + pedestal));
  return square(bounded) - static_cast<float>(pedestal);
}

}  // namespace

Output gdn(Output inputs, const GdnOptions& o, std::source_location at) {
  VariableScopeOptions scope;
  scope.reuse = o.reuse;
  const auto in = o.name.empty() ? VariableScopeBlock::with_default_name("gdn", scope, at)
                                 : std::make_unique<VariableScopeBlock>(o.name, scope, at);
  const int rank = inputs.shape().rank();
  require(rank >= 2 && rank <= 5, "gdn takes inputs of two to five dimensions, not ",
          inputs.shape());
  const bool first = o.data_format == "channels_first" && rank > 2;
  const std::int64_t channels = last_size(inputs, first ? 1 : -1);
  Tensor ones(DType::f32, Shape({channels})), diagonal(DType::f32, Shape({channels, channels}));
  std::fill_n(ones.data<float>(), channels, 1.0f);
  std::fill_n(diagonal.data<float>(), channels * channels, 0.0f);
  for (std::int64_t i = 0; i < channels; ++i)
    diagonal.data<float>()[i * channels + i] = static_cast<float>(o.gamma_init);
  const Output beta = squared_parameter("reparam_beta", ones, o.beta_min, o);
  const Output gamma = squared_parameter("reparam_gamma", diagonal, 0, o);
  // The channels go last: the sum over them is then one product.
  std::vector<std::int32_t> to_last, back;
  for (int i = 0; i < rank; ++i) {
    to_last.push_back(i == 0 ? 0 : i + 1 < rank ? i + 1 : 1);
    back.push_back(i == 0 ? 0 : i == 1 ? rank - 1 : i - 1);
  }
  const Output x = first ? transpose(inputs, {.perm = to_last}) : inputs;
  const Output rows = reshape(square(x), {-1, channels});
  const Output pool = nn::bias_add(matmul(rows, gamma, {.transpose_b = true}), beta);
  const Output scale = reshape(o.inverse ? sqrt(pool) : rsqrt(pool), shape(x));
  const Output y = x * scale;
  const Output made = first ? transpose(y, {.perm = back}) : y;
  made.set_shape(inputs.shape());
  return made;
}

}  // namespace rill::contrib::layers
