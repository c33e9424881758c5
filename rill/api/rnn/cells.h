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

// output = state = activation([input, state] * kernel + bias). Its variables are "kernel" and
// "bias".
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
// A gated recurrent unit. With [r, u] = sigmoid([x, h] * gates/kernel + gates/bias) and c =
// activation([x, r * h] * candidate/kernel + candidate/bias), h = u * h + (1 - u) * c. The gates'
// bias starts at 1, so that a new cell remembers.
class GRUCell : public LayerRNNCell {
 public:
  explicit GRUCell(std::int64_t num_units, const GRUCellOptions& options = {});
};

// The state of an LSTM: c is what it remembers, h what it gave out.
struct LSTMStateTuple {
  Output c = {}, h = {};
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
// With [i, j, f, o] = [x, h] * kernel + bias,
//
//   c = c * sigmoid(f + forget_bias) + sigmoid(i) * activation(j)
//   h = activation(c) * sigmoid(o)
//
// forget_bias is not stored in the variable: a checkpoint of another program must add its own.
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
// The same with peepholes (variables w_f_diag, w_i_diag, w_o_diag), a projection of h
// ("projection/kernel") and limits.
//
//   nn::rnn_cell::LSTMCell cell(128, {.num_proj = 64});
//   auto [outputs, state] = nn::dynamic_rnn(cell, inputs, {.dtype = DType::f32});
class LSTMCell : public LayerRNNCell {
 public:
  explicit LSTMCell(std::int64_t num_units, const LSTMCellOptions& options = {});
};

// Cells on top of each other: the output of one is the input of the next. The same cell twice
// shares its variables, which is seldom meant.
class MultiRNNCell : public RNNCell {
 public:
  // Throws InvalidArgument when there are no cells, or one has a state of several tensors that
  // shall become one.
  explicit MultiRNNCell(std::vector<std::shared_ptr<RNNCell>> cells, bool state_is_tuple = true);

  Sizes state_sizes() const override;
  Sizes output_sizes() const override { return cells_.back()->output_sizes(); }
  CellOutput compute(const std::vector<Output>& inputs, const State& state) override;
  State zero_state(const BatchSize& batch_size, DType dtype,
                   std::source_location at = std::source_location::current()) override;

 private:
  std::vector<std::shared_ptr<RNNCell>> cells_;
  bool state_is_tuple_;
};

}  // namespace rill::nn::rnn_cell
