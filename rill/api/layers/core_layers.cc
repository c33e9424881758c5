#include "rill/api/layers/core_layers.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/plain_array.h"
#include "rill/api/math/math.h"
#include "rill/api/nn/activations.h"
#include "rill/api/nn/dropout.h"

namespace rill::layers {

// --- Dense ---------------------------------------------------------------------------------------

Dense::Dense(std::string class_name, LayerOptions base)
    : Layer(std::move(class_name), std::move(base)) {
  input_spec = {{.min_ndim = 2}};
  supports_masking = true;
}

Dense::Dense(std::int64_t unit_count, const DenseOptions& given, LayerUse use)
    : Dense("Dense", base_options(given, use)) {
  units = unit_count;
  options = given;
  check_settings();
}

void Dense::check_settings() const {
  require(units >= 0,
          "Received an invalid value for `units`, expected a positive integer. "
          "Received: units=",
          units);
}

void Dense::build(const PartialShape& input) {
  const DType type = dtype() == DType::invalid ? DType::f32 : dtype();
  require_type(kFloatTypes.contains(type) || kComplexTypes.contains(type),
               "Unable to build `Dense` layer with non-floating point dtype <dtype: '",
               numpy_name(type), "'>");
  require(input.has_rank() && input.rank() > 0 && input[input.rank() - 1] >= 0,
          "The last dimension of the inputs to `Dense` should be defined. Found `None`.");
  const std::int64_t last = input[input.rank() - 1];
  input_spec = {{.min_ndim = 2, .axes = {{-1, last}}}};
  const WeightSettings kernel_settings{options.kernel_initializer, options.kernel_regularizer,
                                       options.kernel_constraint};
  kernel = add_weight("kernel", {last, units}, kernel_settings.options(type));
  const WeightSettings bias_settings{
      options.bias_initializer ? options.bias_initializer : zeros_initializer(),
      options.bias_regularizer, options.bias_constraint};
  bias = options.use_bias ? add_weight("bias", {units}, bias_settings.options(type)) : Weight();
  built = true;
}

Output Dense::call(Output x, const CallArguments&) {
  if (dtype() != DType::invalid) x = cast(x, dtype());
  const PartialShape shape = x.shape();
  Output y;
  if (!shape.has_rank() || shape.rank() == 2) {
    y = matmul(x, kernel);
  } else {
    y = tensordot(x, kernel, TensordotAxes({shape.rank() - 1}, {0}));
    y.node->graph().refine_shape(y, shape.with_dim(shape.rank() - 1, units));
  }
  if (bias) y = nn::bias_add(y, bias);
  return options.activation(y);
}

PartialShape Dense::compute_output_shape(const PartialShape& input) const {
  require(input.has_rank() && input.rank() >= 2 && input[input.rank() - 1] >= 0,
          "The last dimension of the input shape of a Dense layer should be defined. Found None. "
          "Received: input_shape=",
          input);
  return input.with_dim(input.rank() - 1, units);
}

Output dense(Output inputs, std::int64_t units, const DenseOptions& options,
             std::source_location at) {
  return Dense(units, options, {.one_call = true})(inputs, {}, at);
}

// --- Dropout -------------------------------------------------------------------------------------

Dropout::Dropout(std::string class_name, LayerOptions base)
    : Layer(std::move(class_name), std::move(base)) {
  supports_masking = true;
}

Dropout::Dropout(const DropoutOptions& given, LayerUse use)
    : Dropout("Dropout", base_options(given, use)) {
  options = given;
  check_settings();
}

void Dropout::check_settings() const {
  if (!options.rate.is_value()) return;
  const double rate = options.rate.value(DType::f64).data<double>()[0];
  require(rate >= 0 && rate <= 1, "Invalid value ", rate,
          " received for `rate`, expected a value between 0 and 1.");
}

Output Dropout::dropped(Output x) const {
  nn::DropoutOptions how;
  how.rate = options.rate;
  how.seed = options.seed;
  if (options.noise_shape) {
    const Output sizes = shape(x);
    std::vector<Input> all;
    for (std::size_t i = 0; i < options.noise_shape->size(); ++i) {
      const auto& size = (*options.noise_shape)[i];
      all.push_back(size ? *size : Input(slice(sizes, {Input(static_cast<int>(i))})));
    }
    how.noise_shape = Input(stack(all, {.name = "packed"}));
  }
  return nn::dropout(x, how);
}

Output Dropout::call(Output x, const CallArguments& arguments) {
  if (options.rate.is_value() && options.rate.value(DType::f64).data<double>()[0] == 0)
    return identity(x);
  const Input training = arguments.training.value_or(Input(false));
  return smart_cond(
      training, [&] { return std::vector{dropped(x)}; },
      [&] { return std::vector{identity(x)}; })[0];
}

Output dropout(Output inputs, const DropoutOptions& options, std::source_location at) {
  return Dropout(options, {.one_call = true})(inputs, {.training = options.training}, at);
}

// --- Flatten -------------------------------------------------------------------------------------

Flatten::Flatten(std::string class_name, LayerOptions base)
    : Layer(std::move(class_name), std::move(base)) {
  input_spec = {{.min_ndim = 1}};
}

Flatten::Flatten(const FlattenOptions& given, LayerUse use)
    : Flatten("Flatten", base_options(given, use)) {
  options = given;
  options.data_format = checked_data_format(options.data_format);
}

Output Flatten::call(Output x, const CallArguments&) {
  const int rank = x.shape().rank();
  if (options.data_format == "channels_first" && rank > 1) x = channels_to_last(x);
  if (rank == 1) return expand_dims(x, 1);
  const PartialShape full = x.shape();
  const PartialShape inner = rank > 0 ? PartialShape(full.dims().subspan(1)) : PartialShape();
  const auto sizes = [](std::int64_t first, std::int64_t second) {
    return constant({static_cast<std::int32_t>(first), static_cast<std::int32_t>(second)});
  };
  if (rank > 0 && inner.is_full()) return reshape(x, sizes(-1, inner.full().element_count()));
  if (rank > 0 && full[0] >= 0) return reshape(x, sizes(full[0], -1));
  const Output batch = slice(shape(x), {Input(0)});
  return reshape(x, Input(Input::MakeOutput([batch](Scope& scope, std::string_view name, DType) {
                   const Inside here(scope);
                   return stack({batch, -1}, {.name = std::string(name)});
                 })));
}

PartialShape Flatten::compute_output_shape(const PartialShape& input) const {
  if (!input.has_rank()) return PartialShape::of_rank(2);
  if (input.rank() == 0) return {1};
  const PartialShape inner(input.dims().subspan(1));
  return {input[0], inner.is_full() ? inner.full().element_count() : std::int64_t{-1}};
}

Output flatten(Output inputs, const FlattenOptions& options, std::source_location at) {
  return Flatten(options, {.one_call = true})(inputs, {}, at);
}

}  // namespace rill::layers
