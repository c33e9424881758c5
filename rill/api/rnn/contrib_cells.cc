#include "rill/api/rnn/contrib_cells.h"

#include <cmath>

#include "rill/api/array/picking.h"
#include "rill/api/gen/array.h"
#include "rill/api/rnn/linear.h"
#include "rill/base/error.h"

namespace rill::contrib::rnn {
namespace {

layers::LayerOptions layer_options(Reuse reuse, std::string name = {},
                                   DType dtype = DType::invalid) {
  layers::LayerOptions options;
  options.reuse = reuse;
  options.name = std::move(name);
  options.dtype = dtype;
  return options;
}

State zero_state_inside(const RNNCell& around, RNNCell& cell, const nn::BatchSize& batch_size,
                        DType dtype, std::source_location at) {
  const Block named("", around.class_name() + "ZeroState", at);
  return cell.zero_state(batch_size, dtype, at);
}

}  // namespace

LSTMBlockCell::LSTMBlockCell(std::int64_t num_units, const LSTMBlockCellOptions& o)
    : LayerRNNCell("LSTMBlockCell",
                   lstm_block(num_units, {o.forget_bias, o.cell_clip, o.use_peephole}), {}, {},
                   layer_options(o.reuse, o.name, o.dtype)) {}

GRUBlockCell::GRUBlockCell(std::int64_t num_units, const GRUBlockCellOptions& o)
    : LayerRNNCell("GRUBlockCell", gru_block(num_units, false), {}, {},
                   layer_options(o.reuse, o.name)) {}

GRUBlockCellV2::GRUBlockCellV2(std::int64_t num_units, const GRUBlockCellOptions& o)
    : LayerRNNCell("GRUBlockCellV2", gru_block(num_units, true), {}, {},
                   layer_options(o.reuse, o.name)) {}

LayerNormBasicLSTMCell::LayerNormBasicLSTMCell(std::int64_t num_units,
                                               const LayerNormBasicLSTMCellOptions& o)
    : LayerRNNCell("LayerNormBasicLSTMCell",
                   layer_norm_lstm(num_units, {o.forget_bias, o.activation, o.layer_norm,
                                               o.dropout_keep_prob, o.dropout_prob_seed}),
                   {}, {}, layer_options(o.reuse)),
      gain_(o.norm_gain),
      shift_(o.norm_shift) {}

Initializer LayerNormBasicLSTMCell::start_of(CellWeight::Start start) const {
  if (start == CellWeight::Start::kScales) return constant_initializer(gain_);
  if (start == CellWeight::Start::kOffsets) return constant_initializer(shift_);
  return LayerRNNCell::start_of(start);
}

UGRNNCell::UGRNNCell(std::int64_t num_units, const UGRNNCellOptions& o)
    : LayerRNNCell("UGRNNCell", ugrnn(num_units, o.forget_bias, o.activation), o.initializer, {},
                   layer_options(o.reuse)) {}

CoupledInputForgetGateLSTMCell::CoupledInputForgetGateLSTMCell(
    std::int64_t num_units, const CoupledInputForgetGateLSTMCellOptions& o)
    : LayerRNNCell("CoupledInputForgetGateLSTMCell",
                   coupled_lstm(num_units, {o.use_peepholes, o.num_proj, o.proj_clip, o.forget_bias,
                                            o.state_is_tuple, o.activation}),
                   o.initializer, {}, layer_options(o.reuse)) {}

ConvLSTMCell::ConvLSTMCell(std::vector<std::int64_t> input_shape, std::int64_t output_channels,
                           std::vector<std::int64_t> kernel_shape, const ConvLSTMCellOptions& o)
    : LayerRNNCell("ConvLSTMCell",
                   conv_lstm({std::move(input_shape), output_channels, std::move(kernel_shape),
                              o.use_bias, o.skip_connection, o.forget_bias}),
                   {}, {}, layer_options(Reuse::kUnset, o.name)) {
  input_spec = {};
}

NASCell::NASCell(std::int64_t num_units, const NASCellOptions& o)
    : LayerRNNCell("NASCell", nas(num_units, {o.num_proj, o.use_bias}), {}, {},
                   layer_options(o.reuse)) {}

OutputProjectionWrapper::OutputProjectionWrapper(std::shared_ptr<RNNCell> cell,
                                                 std::int64_t output_size, Activation activation)
    : RNNCell("OutputProjectionWrapper"),
      cell_(std::move(cell)),
      output_size_(output_size),
      activation_(std::move(activation)) {
  require(output_size_ >= 1, "Parameter output_size must be > 0: ", output_size_, ".");
}

State OutputProjectionWrapper::zero_state(const nn::BatchSize& batch_size, DType dtype,
                                          std::source_location at) {
  return zero_state_inside(*this, *cell_, batch_size, dtype, at);
}

CellOutput OutputProjectionWrapper::compute(const std::vector<Output>& inputs, const State& state) {
  CellOutput step = cell_->step(inputs, state);
  step.outputs = {linear({step.output()}, output_size_, activation_)};
  return step;
}

InputProjectionWrapper::InputProjectionWrapper(std::shared_ptr<RNNCell> cell, std::int64_t num_proj,
                                               Activation activation)
    : RNNCell("InputProjectionWrapper"),
      cell_(std::move(cell)),
      num_proj_(num_proj),
      activation_(std::move(activation)) {}

State InputProjectionWrapper::zero_state(const nn::BatchSize& batch_size, DType dtype,
                                         std::source_location at) {
  return zero_state_inside(*this, *cell_, batch_size, dtype, at);
}

CellOutput InputProjectionWrapper::compute(const std::vector<Output>& inputs, const State& state) {
  return cell_->step({linear({inputs.at(0)}, num_proj_, activation_)}, state);
}

EmbeddingWrapper::EmbeddingWrapper(std::shared_ptr<RNNCell> cell, std::int64_t embedding_classes,
                                   std::int64_t embedding_size, Initializer initializer)
    : RNNCell("EmbeddingWrapper"),
      cell_(std::move(cell)),
      classes_(embedding_classes),
      size_(embedding_size),
      initializer_(std::move(initializer)) {
  require(classes_ > 0 && size_ > 0,
          "Both embedding_classes and embedding_size must be > 0: ", classes_, ", ", size_, ".");
}

State EmbeddingWrapper::zero_state(const nn::BatchSize& batch_size, DType dtype,
                                   std::source_location at) {
  return zero_state_inside(*this, *cell_, batch_size, dtype, at);
}

CellOutput EmbeddingWrapper::compute(const std::vector<Output>& inputs, const State& state) {
  const DeviceScope device("/cpu:0");
  Initializer initializer = initializer_ ? initializer_ : get_variable_scope()->initializer;
  const double limit = std::sqrt(3.0);  // for a variance of 1
  if (!initializer)
    initializer = random_uniform_initializer({.minval = -limit, .maxval = Input(limit)});
  const Variable table =
      get_variable("embedding", {classes_, size_},
                   {.dtype = base_type(state.at(0).dtype()), .initializer = initializer});
  const Output words = raw::Reshape(inputs.at(0), Tensor::vector<std::int32_t>({-1}));
  return cell_->step({gather(table, words)}, state);
}

}  // namespace rill::contrib::rnn
