#include "rill/api/rnn/cell_wrappers.h"

#include "rill/api/math/operators.h"
#include "rill/api/rnn/cells.h"
#include "rill/base/error.h"

namespace rill::nn::rnn_cell {
namespace {

bool is_lstm(const RNNCell& cell) {
  return cell.state_sizes().size() == 2 && cell.class_name().find("LSTM") != std::string::npos;
}

std::vector<bool> default_states(const RNNCell& cell) {
  std::vector<bool> dropped(cell.state_sizes().size(), true);
  if (is_lstm(cell)) dropped[0] = false;
  return dropped;
}

}  // namespace

CellWrapper::CellWrapper(std::string class_name, std::shared_ptr<RNNCell> cell, DType dtype)
    : RNNCell(std::move(class_name), {.dtype = dtype}), cell_(std::move(cell)) {
  require(cell_ != nullptr, "The argument 'cell' is not an RNNCell.");
}

State CellWrapper::zero_state(const BatchSize& batch_size, DType dtype, std::source_location at) {
  const Block named("", class_name() + "ZeroState", at);
  return cell_->zero_state(batch_size, dtype, at);
}

DropoutWrapper::DropoutWrapper(std::shared_ptr<RNNCell> cell, const DropoutWrapperOptions& options)
    : CellWrapper("DropoutWrapper", std::move(cell), options.dtype),
      dropout_(options, cell_->state_sizes(), cell_->output_sizes()),
      dropped_states_(options.dropped_states.empty() ? default_states(*cell_)
                                                     : options.dropped_states) {
  require(dropped_states_.size() == cell_->state_sizes().size(), "dropped_states has ",
          dropped_states_.size(), " elements for ", cell_->state_sizes().size(), " states");
}

CellOutput DropoutWrapper::apply(const std::vector<Output>& inputs, const State& state,
                                 const layers::ScopeChoice& scope, std::source_location at) {
  const MadeAt place(at);
  CellOutput step = cell_->apply(dropout_.drop_all(CellDropout::kInput, inputs), state, scope, at);
  if (dropout_.drops(CellDropout::kState))
    for (std::size_t i = 0; i < step.state.size(); ++i)
      if (dropped_states_[i]) step.state[i] = dropout_.drop(CellDropout::kState, step.state[i], i);
  step.outputs = dropout_.drop_all(CellDropout::kOutput, std::move(step.outputs));
  return step;
}

ResidualWrapper::ResidualWrapper(std::shared_ptr<RNNCell> cell, Combine residual_fn)
    : CellWrapper("ResidualWrapper", std::move(cell)), residual_fn_(std::move(residual_fn)) {}

CellOutput ResidualWrapper::apply(const std::vector<Output>& inputs, const State& state,
                                  const layers::ScopeChoice& scope, std::source_location at) {
  const MadeAt place(at);
  CellOutput step = cell_->apply(inputs, state, scope, at);
  if (residual_fn_) {
    step.outputs = residual_fn_(inputs, step.outputs);
    return step;
  }
  require(inputs.size() == step.outputs.size(), "a residual connection needs as many inputs as ",
          "outputs; there are ", inputs.size(), " and ", step.outputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    require(inputs[i].shape().is_compatible(step.outputs[i].shape()), "Shapes ",
            to_text(inputs[i].shape()), " and ", to_text(step.outputs[i].shape()),
            " are incompatible");
    step.outputs[i] = inputs[i] + step.outputs[i];
  }
  return step;
}

DeviceWrapper::DeviceWrapper(std::shared_ptr<RNNCell> cell, std::string device)
    : CellWrapper("DeviceWrapper", std::move(cell)), device_(std::move(device)) {}

State DeviceWrapper::zero_state(const BatchSize& batch_size, DType dtype, std::source_location at) {
  const Block named("", "DeviceWrapperZeroState", at);
  const DeviceScope device(device_);
  return cell_->zero_state(batch_size, dtype, at);
}

CellOutput DeviceWrapper::apply(const std::vector<Output>& inputs, const State& state,
                                const layers::ScopeChoice& scope, std::source_location at) {
  const DeviceScope device(device_);
  return cell_->apply(inputs, state, scope, at);
}

}  // namespace rill::nn::rnn_cell
