#include "rill/api/layers/normalization_layers.h"

#include <algorithm>

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/layers/normalised.h"
#include "rill/api/nn/moments.h"
#include "rill/api/nn/normalization.h"

namespace rill::layers {

BatchNormalization::BatchNormalization(std::string class_name, LayerOptions base)
    : Layer(std::move(class_name), std::move(base)) {
  supports_masking = true;
}

BatchNormalization::BatchNormalization(const BatchNormalizationOptions& given, LayerUse use)
    : BatchNormalization("BatchNormalization", base_options(given, use)) {
  options = given;
}

Output batch_normalization(Output inputs, const BatchNormalizationOptions& options,
                           std::source_location at) {
  BatchNormalization layer(options, {.one_call = true});
  return layer(inputs, {.training = options.training}, at);
}

// --- variables -----------------------------------------------------------------------------------

DType BatchNormalization::parameter_type() const {
  const bool is_half = dtype() == DType::f16 || dtype() == DType::bf16;
  return is_half || dtype() == DType::invalid ? DType::f32 : dtype();
}

bool BatchNormalization::can_be_fused() const {
  const std::vector<int> usual{-4, -3, -1, 1, 3, 4};
  const bool is_float = dtype() == DType::f32 || dtype() == DType::f16 || dtype() == DType::bf16 ||
                        dtype() == DType::invalid;
  return !options.renorm && axes.size() == 1 && std::ranges::find(usual, axes[0]) != usual.end() &&
         !options.virtual_batch_size && !options.adjustment && is_float;
}

void BatchNormalization::choose_fused(const PartialShape& input) {
  const int rank = input.rank();
  is_fused = options.fused.value_or(true) && rank == 4 && can_be_fused();
  if (!is_fused) return;
  op_format_ = axes[0] == 1 ? "NCHW" : "NHWC";
  if (axes[0] != 1 && axes[0] != 3)
    raise(Code::kInvalidArgument,
          "Unsupported axis. The use of `fused=True` is only possible with `axis=1` or `axis=3` "
          "for 4D input tensors. Received: axis=(",
          axes[0], ",)");
}

void BatchNormalization::build(const PartialShape& input) {
  require(input.has_rank(), "Input has undefined rank. Received: input_shape=", input, ".");
  axes.clear();
  for (const int axis : options.axis) {
    require(
        axis >= -input.rank() && axis < input.rank(),
        "Invalid value for `axis` argument. Expected 0 <= axis < inputs.rank (with inputs.rank=",
        input.rank(), "). Received: axis=", axis);
    axes.push_back(axis < 0 ? axis + input.rank() : axis);
  }
  if (options.virtual_batch_size) {
    require(*options.virtual_batch_size > 0,
            "`virtual_batch_size` must be a positive integer that divides the true batch size of "
            "the input tensor. Received: virtual_batch_size=",
            *options.virtual_batch_size);
    require(std::ranges::find(axes, 0) == axes.end(),
            "When using `virtual_batch_size`, the batch dimension must be 0 and thus axis cannot "
            "include 0.");
    require(!options.adjustment, "When using `virtual_batch_size`, adjustment cannot be specified");
  }
  choose_fused(input);
  InputSpec spec{.ndim = input.rank()};
  for (const int axis : axes) {
    require(input[axis] >= 0, "Input has undefined `axis` dimension. Received input with shape ",
            input, " and axis=", axis);
    spec.axes[axis] = input[axis];
  }
  input_spec = {spec};
  std::vector<std::int64_t> sizes;
  if (axes.size() == 1 && !options.virtual_batch_size) {
    sizes = {input[axes[0]]};
  } else {
    sizes.assign(static_cast<std::size_t>(input.rank()), 1);
    for (const int axis : axes) sizes[static_cast<std::size_t>(axis)] = input[axis];
    if (options.virtual_batch_size) {
      sizes.insert(sizes.begin() + 1, 1);
      for (int& axis : axes) ++axis;
    }
  }
  parameter_shape_ = PartialShape(sizes);
  const WeightSettings factor{
      options.gamma_initializer ? options.gamma_initializer : ones_initializer(),
      options.gamma_regularizer, options.gamma_constraint};
  const WeightSettings shift{
      options.beta_initializer ? options.beta_initializer : zeros_initializer(),
      options.beta_regularizer, options.beta_constraint};
  const DType type = parameter_type();
  gamma = options.scale ? add_weight("gamma", parameter_shape_, factor.options(type)) : Weight();
  beta = options.center ? add_weight("beta", parameter_shape_, shift.options(type)) : Weight();
  add_averages(parameter_shape_);
  built = true;
}

void BatchNormalization::add_averages(const PartialShape& shape) {
  // Averages have no parts, whatever the scope says.
  const Partitioner partitioner = scope() ? scope()->partitioner : Partitioner();
  if (scope()) scope()->partitioner = {};
  const auto average = [&](const char* name, const Initializer& initializer) {
    return add_weight(name, shape,
                      {.dtype = parameter_type(),
                       .initializer = initializer,
                       .trainable = false,
                       .synchronization = VariableSynchronization::ON_READ,
                       .aggregation = VariableAggregation::MEAN});
  };
  const Initializer means =
      options.moving_mean_initializer ? options.moving_mean_initializer : zeros_initializer();
  const Initializer variances = options.moving_variance_initializer
                                    ? options.moving_variance_initializer
                                    : ones_initializer();
  const Initializer stddevs(Initializer::Make(
      [variances](const Initializer::Request& request) { return sqrt(variances(request)); }));
  moving_mean = average("moving_mean", means);
  moving_variance = average("moving_variance", variances);
  if (options.renorm) {
    const auto beside = [&](const Variable& variable, const char* name, const Initializer& first) {
      const ColocateWith there(variable.op());
      return average(name, first);
    };
    moving_stddev = beside(moving_variance, "moving_stddev", stddevs);
    renorm_mean = beside(moving_mean, "renorm_mean", means);
    renorm_stddev = beside(moving_stddev, "renorm_stddev", stddevs);
  }
  if (scope()) scope()->partitioner = partitioner;
}

// --- calls ---------------------------------------------------------------------------------------

Output BatchNormalization::in_virtual_batches(Output x, Output& original_shape) const {
  const auto size = static_cast<std::int32_t>(*options.virtual_batch_size);
  const std::vector<SlicePart> inner{SliceRange{.start = Input(1)}};
  original_shape = shape(x);
  original_shape = concat({constant({-1}), slice(original_shape, inner)}, 0);
  return reshape(x, concat({constant({size, -1}), slice(original_shape, inner)}, 0));
}

Output BatchNormalization::call(Output x, const CallArguments& arguments) {
  if (dtype() != DType::invalid) x = cast(x, dtype());
  const Input training = arguments.training.value_or(Input(false));
  Output original_shape;
  if (options.virtual_batch_size) x = in_virtual_batches(x, original_shape);
  if (is_fused) return fused(x, training);
  const DType type = base_type(x.dtype());
  const bool is_half = type == DType::f16 || type == DType::bf16;
  if (is_half) x = cast(x, DType::f32);
  const PartialShape before = x.shape();
  Output y = plain(x, arguments, training);
  if (is_half) y = cast(y, type);
  y.node->graph().refine_shape(y, before);
  return options.virtual_batch_size ? reshape(y, original_shape) : y;
}

void BatchNormalization::adjust(Normalised& n, Output x, const Input& training) const {
  auto [scale, offset] = options.adjustment(shape(x));
  scale = one_of(
      training, [&] { return scale; }, [&] { return ones_like(scale); });
  offset = one_of(
      training, [&] { return offset; }, [&] { return zeros_like(offset); });
  n.follow(scale, offset);
}

void BatchNormalization::normalise_by_batch(Normalised& n, Output x, const CallArguments& arguments,
                                            const Input& training) {
  if (options.adjustment) adjust(n, x, training);
  const bool keep = options.virtual_batch_size || axes.size() > 1;
  const Output values = cast(x, parameter_type());
  const ShapeInput over(n.reduction_axes);
  nn::Moments of_batch;
  if (arguments.masks.empty() || !arguments.masks[0].node) {
    of_batch = nn::moments(values, over, {.keepdims = keep});
  } else {
    const Output weights = cast(arguments.masks[0], dtype(), {.name = "mask_weights"});
    of_batch = nn::weighted_moments(values, over,
                                    expand_dims(weights, -1, {.name = "mask_weights_broadcasted"}),
                                    {.keepdims = keep});
  }
  const Output mean = one_of(
      training, [&] { return of_batch.mean; }, [&] { return as_tensor(moving_mean); });
  const Output variance = one_of(
      training, [&] { return of_batch.variance; }, [&] { return as_tensor(moving_variance); });
  Output new_mean = mean, new_variance = variance;
  if (options.virtual_batch_size) {
    new_mean = reduce_mean(mean, {.axis = Input(1), .keepdims = true});
    new_variance = reduce_mean(variance, {.axis = Input(1), .keepdims = true});
  }
  if (options.renorm) renormalise(n, new_mean, new_variance, training);
  add_average_updates(new_mean, new_variance, training);
  n.mean = mean;
  n.variance = variance;
}

Output BatchNormalization::plain(Output x, const CallArguments& arguments, const Input& training) {
  Normalised n{.mean = moving_mean, .variance = moving_variance};
  n.rank = x.shape().rank();
  n.broadcast_shape.assign(static_cast<std::size_t>(n.rank), 1);
  n.broadcast_shape[static_cast<std::size_t>(axes[0])] = x.shape()[axes[0]];
  for (int i = 0; i < n.rank; ++i)
    if (std::ranges::find(axes, i) == axes.end()) n.reduction_axes.push_back(i);
  if (options.virtual_batch_size) n.reduction_axes.erase(n.reduction_axes.begin() + 1);
  n.scale = n.broadcast(gamma);
  n.offset = n.broadcast(beta);
  if (smart_constant_value(training).value_or(true)) normalise_by_batch(n, x, arguments, training);
  const DType type = base_type(x.dtype());
  const Parameter mean = n.mean.cast_to(type), variance = n.variance.cast_to(type);
  OptionalInput offset, scale;
  if (n.offset) offset = n.offset->cast_to(type);
  if (n.scale) scale = n.scale->cast_to(type);
  const Parameter mean_beside = n.broadcast(mean);
  return nn::batch_normalization(x, mean_beside, n.broadcast(variance), offset, scale,
                                 options.epsilon);
}

}  // namespace rill::layers
