#include "rill/api/keras/recurrent_layers.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/base/error.h"

namespace rill::keras::layers {

// --- cells ---------------------------------------------------------------------------------------

Output Cell::masked(Output x, double rate, Output& mask, const CallArguments& arguments) {
  if (rate <= 0) return x;
  if (!mask.node) {
    const Output ones = ones_like(x);
    mask = backend::in_train_phase([&] { return backend::dropout(ones, rate); },
                                   [&] { return raw::Identity(ones); }, training_of(arguments));
  }
  return x * mask;
}

std::vector<Output> Cell::call_all(const std::vector<Output>& inputs,
                                   const CallArguments& arguments) {
  require(inputs.size() == 1 + state_sizes().size(), "the cell ", name(), " takes an input and ",
          state_sizes().size(), " states, not ", inputs.size(), " tensors");
  std::vector<Output> states(inputs.begin() + 1, inputs.end());
  const Output x = masked(inputs[0], s.dropout, input_mask_, arguments);
  states[0] = masked(states[0], s.recurrent_dropout, state_mask_, arguments);
  const backend::StepResult made = step(x, states);
  std::vector<Output> all{made.output};
  all.insert(all.end(), made.states.begin(), made.states.end());
  return all;
}

void Cell::add_weights(const PartialShape& input, std::int64_t gates,
                       const PartialShape& bias_shape, const Initializer& bias_initializer) {
  need_at_least(input, 1);
  const std::int64_t width = input.dim(input.rank() - 1), columns = gates * s.units;
  require(width >= 0, "the cell ", name(), " must know how many values an input has, got shape ",
          input);
  kernel = add("kernel", {width, columns}, s.kernel);
  recurrent_kernel =
      add("recurrent_kernel", {s.units, columns}, s.recurrent, orthogonal_initializer());
  if (!s.use_bias) return;
  const bool given = s.bias.initializer && !bias_initializer;
  bias = add("bias", bias_shape,
             {given ? s.bias.initializer : bias_initializer, s.bias.regularizer, s.bias.constraint},
             zeros_initializer());
}

Output Cell::activated(Output x) const {
  return s.activation ? (*s.activation)(x) : activations::tanh(x);
}
Output Cell::gated(Output x) const {
  return s.recurrent_activation ? (*s.recurrent_activation)(x) : activations::hard_sigmoid(x);
}

Output Cell::gate(Output x, std::int64_t index) const {
  return strided_slice(x, rill::parts::ints({0, index * s.units}),
                       rill::parts::ints({0, (index + 1) * s.units}),
                       {.begin_mask = 1, .end_mask = 1});
}

void SimpleRNNCell::build_all(const std::vector<PartialShape>& inputs) {
  add_weights(inputs.at(0), 1, {s.units}, {});
}

backend::StepResult SimpleRNNCell::step(Output x, const std::vector<Output>& states) {
  Output h = backend::dot(x, kernel);
  if (bias) h = backend::bias_add(h, bias);
  const Output y = activated(h + backend::dot(states[0], recurrent_kernel));
  return {y, {y}};
}

void GRUCell::build_all(const std::vector<PartialShape>& inputs) {
  add_weights(inputs.at(0), 3,
              s.reset_after ? PartialShape({2, 3 * s.units}) : PartialShape({3 * s.units}), {});
}

backend::StepResult GRUCell::step(Output x, const std::vector<Output>& states) {
  const Output h = states[0];
  Output in = backend::dot(x, kernel), biases, recurrent;
  if (bias) {
    biases = as_tensor(bias);
    in = backend::bias_add(in, s.reset_after ? rill::parts::item(biases, 0) : biases);
  }
  const Output weights = as_tensor(recurrent_kernel);
  if (s.reset_after) {
    recurrent = backend::dot(h, weights);
    if (bias) recurrent = backend::bias_add(recurrent, rill::parts::item(biases, 1));
    const Output z = gated(gate(in, 0) + gate(recurrent, 0)),
                 r = gated(gate(in, 1) + gate(recurrent, 1));
    const Output candidate = activated(gate(in, 2) + r * gate(recurrent, 2));
    const Output y = z * h + (1.0 - z) * candidate;
    return {y, {y}};
  }
  const Output z = gated(gate(in, 0) + backend::dot(h, gate(weights, 0)));
  const Output r = gated(gate(in, 1) + backend::dot(h, gate(weights, 1)));
  const Output candidate = activated(gate(in, 2) + backend::dot(r * h, gate(weights, 2)));
  const Output y = z * h + (1.0 - z) * candidate;
  return {y, {y}};
}

Initializer Cell::forgetting(std::int64_t size) const {
  if (!s.unit_forget_bias) return {};
  const Initializer rest = s.bias.initializer ? s.bias.initializer : zeros_initializer();
  return Initializer([rest, size](const Initializer::Request& request) {
    const auto part = [&](const Initializer& how, std::int64_t count) {
      return how({.shape = Shape({count}), .dtype = request.dtype});
    };
    return concat({part(rest, size), part(ones_initializer(), size), part(rest, 2 * size)}, -1);
  });
}

void LSTMCell::build_all(const std::vector<PartialShape>& inputs) {
  add_weights(inputs.at(0), 4, {4 * s.units}, forgetting(s.units));
}

backend::StepResult LSTMCell::step(Output x, const std::vector<Output>& states) {
  Output z = backend::dot(x, kernel) + backend::dot(states[0], recurrent_kernel);
  if (bias) z = backend::bias_add(z, bias);
  const Output in = gated(gate(z, 0)), forget = gated(gate(z, 1));
  const Output c = forget * states[1] + in * activated(gate(z, 2));
  const Output out = gated(gate(z, 3));
  const Output h = out * activated(c);
  return {h, {h, c}};
}

void ConvLSTM2DCell::build_all(const std::vector<PartialShape>& inputs) {
  const PartialShape& input = inputs.at(0);
  need_rank(input, 4);
  const std::int64_t channels = input.dim(channels_first() ? 1 : 3), columns = 4 * s.filters;
  require(channels >= 0, "The channel dimension of the inputs should be defined. Found `None`.");
  const std::int64_t height = s.kernel_size.at(0), width = s.kernel_size.at(1);
  kernel = add("kernel", {height, width, channels, columns}, s.kernel);
  recurrent_kernel = add("recurrent_kernel", {height, width, s.filters, columns}, s.recurrent,
                         orthogonal_initializer());
  if (!s.use_bias) return;
  const Initializer forget = forgetting(s.filters);
  bias = add("bias", {columns},
             {forget ? forget : s.bias.initializer, s.bias.regularizer, s.bias.constraint},
             zeros_initializer());
}

backend::StepResult ConvLSTM2DCell::step(Output x, const std::vector<Output>& states) {
  Output z = backend::conv(x, kernel,
                           {.strides = s.strides,
                            .padding = s.padding,
                            .data_format = s.data_format,
                            .dilation = s.dilation_rate});
  if (bias) z = backend::bias_add(z, bias, s.data_format);
  z = z +
      backend::conv(states[0], recurrent_kernel, {.padding = "same", .data_format = s.data_format});
  const std::vector<Output> gates = split(z, 4, {.axis = channels_first() ? 1 : 3});
  const Output c = gated(gates[1]) * states[1] + gated(gates[0]) * activated(gates[2]);
  const Output h = gated(gates[3]) * activated(c);
  return {h, {h, c}};
}

// --- layers of cells -----------------------------------------------------------------------------

Recurrent::Recurrent(std::string class_name, LayerOptions base, std::shared_ptr<Cell> cell,
                     const RecurrentOptions& recurrent)
    : KerasLayer(std::move(class_name), std::move(base)),
      options(recurrent),
      cell_(std::move(cell)) {
  supports_masking = true;
  add_layer(cell_);
}

namespace {

// As Python writes a list of dimensions: "[None, 4]".
std::string dims_text(const PartialShape& shape) {
  std::vector<std::string> dims;
  for (int i = 0; i < shape.rank(); ++i)
    dims.push_back(shape[i] < 0 ? "None" : std::to_string(shape[i]));
  return str_cat("[", join(dims, ", "), "]");
}

}  // namespace

void Recurrent::build_all(const std::vector<PartialShape>& inputs) {
  const PartialShape& all = inputs.at(0);
  require(all.rank() == 3, "Input 0 of layer ", name(),
          " is incompatible with the layer: expected ndim=3, found ndim=", all.rank(),
          ". Full shape received: ", dims_text(all));
  if (cell_->built) return;
  cell_->build_all({PartialShape({all.dim(0), all.dim(2)})});
  cell_->built = true;
}

std::vector<Output> Recurrent::call_all(const std::vector<Output>& inputs,
                                        const CallArguments& arguments) {
  const Output x = inputs.at(0);
  std::vector<Output> states(inputs.begin() + 1, inputs.end());
  states.insert(states.end(), arguments.more.begin(), arguments.more.end());
  if (states.empty())
    for (const std::int64_t size : cell_->state_sizes())
      states.push_back(
          zeros(as_tensor(parts::dims({parts::dim_of(x, 0), size}), "shape", DType::i32),
                {.dtype = base_type(x.dtype())}));
  cell_->reset_masks();
  const auto step = [&](Output now, const std::vector<Output>& before) {
    std::vector<Output> given{now};
    given.insert(given.end(), before.begin(), before.end());
    const std::vector<Output> made = cell_->call_all(given, arguments);
    return backend::StepResult{made.at(0), {made.begin() + 1, made.end()}};
  };
  backend::RnnOptions how{
      .go_backwards = options.go_backwards, .mask = {}, .unroll = options.unroll};
  if (!arguments.masks.empty()) how.mask = arguments.masks[0];
  const backend::RnnResult result = backend::rnn(step, x, states, how);
  std::vector<Output> all{options.return_sequences ? result.outputs : result.last_output};
  if (options.return_state) all.insert(all.end(), result.states.begin(), result.states.end());
  return all;
}

std::vector<Output> Recurrent::compute_masks(const std::vector<Output>&,
                                             const std::vector<Output>& masks) {
  if (!options.return_sequences || masks.empty() || !masks[0].node) return {};
  return {masks[0]};
}

// --- wrappers ------------------------------------------------------------------------------------

TimeDistributedLayer::TimeDistributedLayer(LayerOptions base,
                                           std::shared_ptr<rill::layers::Layer> layer)
    : KerasLayer("TimeDistributed", std::move(base)), layer_(std::move(layer)) {
  supports_masking = true;
  add_layer(layer_);
}

Output TimeDistributedLayer::call(Output x, const CallArguments& arguments) {
  std::vector<Input> flat{-1}, whole{parts::dim_of(x, 0), parts::dim_of(x, 1)};
  for (int i = 2; i < x.shape().rank(); ++i) flat.push_back(parts::dim_of(x, i));
  const Output each = parts::reshape_to(x, flat);
  if (!layer_->built) {
    layer_->build_all({each.shape()});
    layer_->built = true;
  }
  const Output y = layer_->call_all({each}, {.training = arguments.training}).at(0);
  for (int i = 1; i < y.shape().rank(); ++i) whole.push_back(parts::dim_of(y, i));
  return parts::reshape_to(y, whole);
}

Bidirectional::Bidirectional(LayerOptions base, std::shared_ptr<Recurrent> forward,
                             std::shared_ptr<Recurrent> backward, std::string merge_mode)
    : KerasLayer("Bidirectional", std::move(base)),
      forward_(std::move(forward)),
      backward_(std::move(backward)),
      merge_mode_(std::move(merge_mode)) {
  supports_masking = true;
  backward_->options.go_backwards = !forward_->options.go_backwards;
  add_layer(forward_);
  add_layer(backward_);
}

Output Bidirectional::call(Output x, const CallArguments& arguments) {
  const Output y = (*forward_)(x, {.training = arguments.training, .masks = arguments.masks});
  Output back = (*backward_)(x, {.training = arguments.training, .masks = arguments.masks});
  if (forward_->options.return_sequences) back = raw::ReverseV2(back, rill::parts::ints({1}));
  if (merge_mode_ == "concat") return concat({y, back}, -1);
  if (merge_mode_ == "sum") return y + back;
  if (merge_mode_ == "ave") return (y + back) / 2.0;
  if (merge_mode_ == "mul") return y * back;
  raise(Code::kInvalidArgument,
        "Invalid merge mode. Merge mode should be one of {\"sum\", \"mul\", \"ave\", "
        "\"concat\"}, not ",
        merge_mode_);
}

}  // namespace rill::keras::layers
