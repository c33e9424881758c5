#include "rill/api/keras/plain_layers.h"

#include <algorithm>
#include <cmath>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/moments.h"
#include "rill/api/random/random_ops.h"
#include "rill/base/error.h"

namespace rill::keras {

using rill::layers::CallArguments;

layers::Weight KerasLayer::add(const char* name, const PartialShape& shape, const WeightRule& rule,
                               const Initializer& otherwise, bool trainable) {
  return add_weight(name, shape,
                    {.initializer = rule.initializer ? rule.initializer : otherwise,
                     .regularizer = rule.regularizer,
                     .trainable = trainable,
                     .constraint = rule.constraint});
}

void KerasLayer::need_rank(const PartialShape& shape, int rank) const {
  require(shape.rank() == rank, "the layer ", name(), " takes inputs of ", rank,
          " dimensions, not of shape ", shape);
}
void KerasLayer::need_at_least(const PartialShape& shape, int rank) const {
  require(shape.rank() >= rank, "the layer ", name(), " takes inputs of ", rank,
          " dimensions or more, not of shape ", shape);
}

bool KerasLayer::channels_first() const { return parts::is_channels_first(s.data_format); }

Input KerasLayer::training_of(const CallArguments& arguments) {
  return arguments.training ? *arguments.training : backend::learning_phase();
}

namespace layers {

Output ReshapeLayer::call(Output x, const CallArguments&) {
  std::vector<Input> sizes;
  const PartialShape known = compute_output_shape(x.shape());
  sizes.push_back(parts::dim_of(x, 0));
  for (std::size_t i = 0; i < s.target_shape.size(); ++i)
    sizes.push_back(known.dim(static_cast<int>(i) + 1));
  const Output y = parts::reshape_to(x, sizes);
  default_graph()->refine_shape(y, known);
  return y;
}

PartialShape ReshapeLayer::compute_output_shape(const PartialShape& input) const {
  need_at_least(input, 1);
  std::vector<std::int64_t> sizes{input.dim(0)};
  std::int64_t count = 1, given = 1;
  for (int i = 1; i < input.rank(); ++i)
    count = count < 0 || input.dim(i) < 0 ? -1 : parts::product(count, input.dim(i));
  for (const std::int64_t size : s.target_shape) given = parts::product(given, size < 0 ? 1 : size);
  for (const std::int64_t size : s.target_shape) {
    const bool open = size < 0;
    require(!open || count < 0 || (given > 0 && count % given == 0),
            "total size of new array must be unchanged, input_shape = ", input);
    sizes.push_back(!open ? size : count < 0 ? -1 : count / given);
  }
  const bool all_known = std::ranges::none_of(s.target_shape, [](std::int64_t n) { return n < 0; });
  require(!all_known || count < 0 || given == count,
          "total size of new array must be unchanged, input_shape = ", input);
  return PartialShape(std::span<const std::int64_t>(sizes));
}

Output PermuteLayer::call(Output x, const CallArguments&) {
  std::vector<std::int64_t> order{0};
  order.insert(order.end(), s.dims.begin(), s.dims.end());
  return parts::permuted(x, order);
}

PartialShape PermuteLayer::compute_output_shape(const PartialShape& input) const {
  need_rank(input, static_cast<int>(s.dims.size()) + 1);
  for (const std::int64_t dim : s.dims)
    require(dim >= 1 && dim < input.rank(), "there is no dimension ", dim, " in ", input);
  std::vector<std::int64_t> sizes{input.dim(0)};
  for (const std::int64_t dim : s.dims) sizes.push_back(input.dim(static_cast<int>(dim)));
  return PartialShape(std::span<const std::int64_t>(sizes));
}

// --- masks, dropouts and noise -------------------------------------------------------------------

std::vector<Output> Masking::compute_masks(const std::vector<Output>& inputs,
                                           const std::vector<Output>&) {
  const Output other = raw::NotEqual(inputs.at(0), parts::number(s.mask_value, inputs[0]));
  return {reduce_any(other, {.axis = Input(-1)})};
}

Output Masking::call(Output x, const CallArguments&) {
  const Output other = raw::NotEqual(x, parts::number(s.mask_value, x));
  const Output kept = reduce_any(other, {.axis = Input(-1), .keepdims = true});
  return x * rill::cast(kept, base_type(x.dtype()));
}

namespace {

Output while_training(const CallArguments& arguments, Output x,
                      const std::function<Output()>& changed) {
  const Input training = arguments.training ? *arguments.training : backend::learning_phase();
  return backend::in_train_phase(
      changed, [&] { return raw::Identity(x); }, training);
}

}  // namespace

Output SpatialDropout::call(Output x, const CallArguments& arguments) {
  if (s.rate <= 0) return x;
  return while_training(arguments, x, [&] {
    const int rank = x.shape().rank();
    std::vector<Input> noise{parts::dim_of(x, 0)};
    const int channel = rank > 3 && channels_first() ? 1 : rank - 1;
    for (int i = 1; i < rank; ++i) noise.push_back(i == channel ? parts::dim_of(x, i) : Input(1));
    return backend::dropout(x, s.rate, as_tensor(parts::dims(noise), "noise_shape", DType::i32));
  });
}

Output GaussianNoise::call(Output x, const CallArguments& arguments) {
  return while_training(arguments, x, [&] {
    return x + random_normal(rill::shape(x), {.stddev = s.stddev, .dtype = base_type(x.dtype())});
  });
}

Output GaussianDropout::call(Output x, const CallArguments& arguments) {
  if (s.rate <= 0 || s.rate >= 1) return x;
  return while_training(arguments, x, [&] {
    const double deviation = std::sqrt(s.rate / (1.0 - s.rate));
    return x * random_normal(rill::shape(x),
                             {.mean = 1.0, .stddev = deviation, .dtype = base_type(x.dtype())});
  });
}

Output AlphaDropout::call(Output x, const CallArguments& arguments) {
  if (s.rate <= 0 || s.rate >= 1) return x;
  return while_training(arguments, x, [&] {
    constexpr double kAlpha = 1.6732632423543772848170429916717,
                     kScale = 1.0507009873554804934193349852946;
    const double low = -kAlpha * kScale;
    const DType dtype = base_type(x.dtype());
    Input size = rill::shape(x);
    if (s.noise_shape) size = rill::parts::ints(*s.noise_shape);
    const Output noise = random_uniform(size, {.dtype = dtype, .seed = s.seed});
    const Output kept = rill::cast(raw::GreaterEqual(noise, parts::number(s.rate, x)), dtype);
    const double a = 1.0 / std::sqrt((1.0 - s.rate) * (1.0 + s.rate * low * low));
    const double b = -a * low * s.rate;
    return a * (x * kept + low * (1.0 - kept)) + b;
  });
}

// --- activations ---------------------------------------------------------------------------------

void PReLU::build(const PartialShape& input) {
  std::vector<std::int64_t> sizes;
  for (int i = 1; i < input.rank(); ++i) {
    const bool shared = std::ranges::find(s.shared_axes, i) != s.shared_axes.end();
    sizes.push_back(shared ? 1 : input.dim(i));
  }
  alpha = add("alpha", PartialShape(std::span<const std::int64_t>(sizes)), s.alpha_weight,
              zeros_initializer());
}

Output PReLU::call(Output x, const CallArguments&) {
  const Output slope = as_tensor(alpha);
  return raw::Relu(x) + (-slope) * raw::Relu(-x);
}

Output ThresholdedReLU::call(Output x, const CallArguments&) {
  return x * rill::cast(raw::Greater(x, parts::number(s.theta, x)), base_type(x.dtype()));
}

std::vector<std::int64_t> LayerNormalizationLayer::axes_in(int rank) const {
  std::vector<std::int64_t> axes = s.axes.empty() ? std::vector<std::int64_t>{s.axis} : s.axes;
  for (std::int64_t& axis : axes) axis = canonical_axis(axis, rank);
  return axes;
}

void LayerNormalizationLayer::build(const PartialShape& input) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t axis : axes_in(input.rank()))
    sizes.push_back(input.dim(static_cast<int>(axis)));
  const PartialShape shape{std::span<const std::int64_t>(sizes)};
  if (s.scale) gamma = add("gamma", shape, s.gamma, ones_initializer());
  if (s.center) beta = add("beta", shape, s.beta, zeros_initializer());
}

Output LayerNormalizationLayer::call(Output x, const CallArguments&) {
  const std::vector<std::int64_t> along = axes_in(x.shape().rank());
  const Input axes = rill::parts::ints(along);
  const Output mean = reduce_mean(x, {.axis = axes, .keepdims = true});
  const Output variance =
      reduce_mean(raw::SquaredDifference(x, mean), {.axis = axes, .keepdims = true});
  const auto spread = [&](const Weight& weight) {
    std::vector<Input> sizes(x.shape().rank(), 1);
    for (const std::int64_t axis : along) sizes[axis] = parts::dim_of(x, static_cast<int>(axis));
    const Output value = as_tensor(weight);
    const bool last = along.size() == 1 && along[0] == x.shape().rank() - 1;
    return last ? value : parts::reshape_to(value, sizes);
  };
  Output factor = raw::Rsqrt(variance + s.epsilon);
  if (gamma) factor = factor * spread(gamma);
  const Output y = x * factor - mean * factor;
  return beta ? y + spread(beta) : y;
}

// --- words ---------------------------------------------------------------------------------------

void EmbeddingLayer::build(const PartialShape&) {
  set_dtype(dtype() == DType::invalid || !kFloatTypes.contains(dtype()) ? backend::floatx()
                                                                        : dtype());
  const Initializer uniform = random_uniform_initializer({.minval = -0.05, .maxval = Input(0.05)});
  embeddings = add("embeddings", {s.input_dim, s.output_dim}, s.embeddings, uniform);
}

Output EmbeddingLayer::call(Output x, const CallArguments&) {
  const DType dtype = base_type(x.dtype());
  const Output indices = dtype == DType::i32 || dtype == DType::i64 ? x : rill::cast(x, DType::i32);
  return embeddings.variable().sparse_read(indices);
}

PartialShape EmbeddingLayer::compute_output_shape(const PartialShape& input) const {
  need_at_least(input, 0);
  return input.with_dim(input.rank(), s.output_dim);
}

std::vector<Output> EmbeddingLayer::compute_masks(const std::vector<Output>& inputs,
                                                  const std::vector<Output>&) {
  if (!s.mask_zero) return {};
  return {raw::NotEqual(inputs.at(0), parts::number(0, inputs[0]))};
}

}  // namespace layers
}  // namespace rill::keras
