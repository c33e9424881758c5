#include "rill/api/rnn/cells.h"

#include "rill/api/array/joining.h"
#include "rill/api/rnn/recurrence_parts.h"
#include "rill/base/error.h"

namespace rill::nn::rnn_cell {
namespace {

template <class Options>
layers::LayerOptions layer_options(const Options& options) {
  layers::LayerOptions layer;
  layer.name = options.name;
  layer.trainable = options.trainable;
  layer.dtype = options.dtype;
  layer.reuse = options.reuse;
  return layer;
}

LstmForm form_of(const LSTMCellOptions& o) {
  return {o.use_peepholes,   o.cell_clip,   o.num_proj,       o.proj_clip, o.num_unit_shards,
          o.num_proj_shards, o.forget_bias, o.state_is_tuple, o.activation};
}

}  // namespace

BasicRNNCell::BasicRNNCell(std::int64_t num_units, const BasicRNNCellOptions& options)
    : LayerRNNCell("BasicRNNCell", basic_rnn(num_units, options.activation), {}, {},
                   layer_options(options)) {}

GRUCell::GRUCell(std::int64_t num_units, const GRUCellOptions& options)
    : LayerRNNCell("GRUCell", gru(num_units, options.activation), options.kernel_initializer,
                   options.bias_initializer, layer_options(options)) {}

BasicLSTMCell::BasicLSTMCell(std::int64_t num_units, const BasicLSTMCellOptions& options)
    : LayerRNNCell(
          "BasicLSTMCell",
          basic_lstm(num_units, {options.forget_bias, options.state_is_tuple, options.activation}),
          {}, {}, layer_options(options)) {}

LSTMCell::LSTMCell(std::int64_t num_units, const LSTMCellOptions& options)
    : LayerRNNCell("LSTMCell", lstm(num_units, form_of(options)), options.initializer, {},
                   layer_options(options)) {}

MultiRNNCell::MultiRNNCell(std::vector<std::shared_ptr<RNNCell>> cells, bool state_is_tuple)
    : RNNCell("MultiRNNCell"), cells_(std::move(cells)), state_is_tuple_(state_is_tuple) {
  require(!cells_.empty(), "Must specify at least one cell for MultiRNNCell.");
  for (const auto& cell : cells_)
    require(state_is_tuple_ || cell->state_sizes().size() == 1,
            "Some cells return tuples of states, but the flag state_is_tuple is not set.");
}

Sizes MultiRNNCell::state_sizes() const {
  Sizes all;
  std::int64_t width = 0;
  for (const auto& cell : cells_)
    for (const PartialShape& size : cell->state_sizes()) {
      all.push_back(size);
      width += size.rank() == 1 ? size[0] : 0;
    }
  return state_is_tuple_ ? all : Sizes{{width}};
}

CellOutput MultiRNNCell::compute(const std::vector<Output>& inputs, const State& state) {
  require(state.size() == state_sizes().size(), "Expected state to be a tuple of length ",
          state_sizes().size(), ", but received: ", state.size());
  CellOutput now{inputs, {}};
  std::size_t taken = 0;
  std::int64_t column = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const VariableScopeBlock scope(str_cat("cell_", i));
    const Sizes sizes = cells_[i]->state_sizes();
    State own;
    for (const PartialShape& size : sizes) {
      own.push_back(state_is_tuple_ ? state[taken] : columns(state[0], column, size[0]));
      if (!state_is_tuple_) column += size[0];
      ++taken;
    }
    CellOutput step = cells_[i]->step(now.outputs, own);
    now.outputs = std::move(step.outputs);
    now.state.insert(now.state.end(), step.state.begin(), step.state.end());
  }
  if (!state_is_tuple_) now.state = {concat({now.state.begin(), now.state.end()}, 1)};
  return now;
}

State MultiRNNCell::zero_state(const BatchSize& batch_size, DType dtype, std::source_location at) {
  const Block named("", "MultiRNNCellZeroState", at);
  if (!state_is_tuple_) return RNNCell::zero_state(batch_size, dtype, at);
  State all;
  for (const auto& cell : cells_) {
    const State own = cell->zero_state(batch_size, dtype, at);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

}  // namespace rill::nn::rnn_cell
