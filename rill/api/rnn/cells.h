#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/rnn/rnn_cell.h"

namespace rill::nn::rnn_cell {

// activation: tanh where there is none.
struct BasicRNNCellOptions {
  Activation activation = {};
  Reuse reuse = Reuse::kUnset;
  std::string name = {};
  DType dtype = DType::invalid;
  bool trainable = true;
};

// output = state = activation(kernel * [input, state] + bias).
class BasicRNNCell : public LayerRNNCell {
 public:
  explicit BasicRNNCell(std::int64_t num_units, const BasicRNNCellOptions& options = {});
};

struct GRUCellOptions {
  Initializer kernel_initializer = {}, bias_initializer = {};
  Activation activation = {};
  Reuse reuse = Reuse::kUnset;
  std::string name = {};
  DType dtype = DType::invalid;
  bool trainable = true;
};
// A gated recurrent unit.
class GRUCell : public LayerRNNCell {
 public:
  explicit GRUCell(std::int64_t num_units, const GRUCellOptions& options = {});
};

// The states of an LSTM, of tensors or of their sizes.
struct LSTMStateTuple {
  Output c, h;
  LSTMStateTuple(Output c, Output h) : c(c), h(h) {}
  explicit LSTMStateTuple(const State& state) : c(state.at(0)), h(state.at(1)) {}
  operator State() const { return {c, h}; }
};

struct BasicLSTMCellOptions {
  double forget_bias = 1.0;
  bool state_is_tuple = true;  // false: c and h are one tensor, side by side
  Activation activation = {};
  Reuse reuse = Reuse::kUnset;
  std::string name = {};
  DType dtype = DType::invalid;
  bool trainable = true;
};
class BasicLSTMCell : public LayerRNNCell {
 public:
  explicit BasicLSTMCell(std::int64_t num_units, const BasicLSTMCellOptions& options = {});
};

struct LSTMCellOptions {
  bool use_peepholes = false;            // gates see c, too
  std::optional<double> cell_clip = {};  // the largest absolute value in c
  Initializer initializer = {};
  std::optional<std::int64_t> num_proj = {};  // the output is projected to this size
  std::optional<double> proj_clip = {};
  int num_unit_shards = 0, num_proj_shards = 0;  // parts of the variables; 0: as the scope says
  double forget_bias = 1.0;
  bool state_is_tuple = true;
  Activation activation = {};
  Reuse reuse = Reuse::kUnset;
  std::string name = {};
  DType dtype = DType::invalid;
  bool trainable = true;
};
class LSTMCell : public LayerRNNCell {
 public:
  explicit LSTMCell(std::int64_t num_units, const LSTMCellOptions& options = {});
};

// Cells on top of each other: the output of one is the input of the next.
class MultiRNNCell : public RNNCell {
 public:
  // Throws InvalidArgument when there are no cells, or one has a state of several tensors that
  // shall become one.
  explicit MultiRNNCell(std::vector<std::shared_ptr<RNNCell>> cells, bool state_is_tuple = true);

  Sizes state_sizes() const override;
  Sizes output_sizes() const override { return cells_.back()->output_sizes(); }
  CellOutput compute(const std::vector<Output>& inputs, const State& state) override;
  State zero_state(const BatchSize& batch_size, DType dtype, std::source_location at) override;

 private:
  std::vector<std::shared_ptr<RNNCell>> cells_;
  bool state_is_tuple_;
};

}  // namespace rill::nn::rnn_cell
