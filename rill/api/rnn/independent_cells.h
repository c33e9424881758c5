#pragma once

#include "rill/api/rnn/rnn_cell.h"

// Cells of tf.contrib.rnn whose units see of the state themselves alone, which is cheap: vectors
// take the place of the matrices that mix the units.
namespace rill::contrib::rnn {

using namespace nn::rnn_cell;

struct IndependentCellOptions {
  Activation activation = {};  // tanh
  Reuse reuse = Reuse::kUnset;
  Initializer kernel_initializer = {}, bias_initializer = {};
  std::string name = {};
  DType dtype = DType::invalid;
};

// A LayerRNNCell whose vectors start between -1 and 1.
class IndependentCell : public LayerRNNCell {
 public:
  using LayerRNNCell::LayerRNNCell;

 protected:
  Initializer start_of(CellWeight::Start start) const override;
};

// activation(W x + u * state + b).
class IndRNNCell : public IndependentCell {
 public:
  explicit IndRNNCell(std::int64_t num_units, const IndependentCellOptions& options = {});
};

// A GRU of independent units.
class IndyGRUCell : public IndependentCell {
 public:
  explicit IndyGRUCell(std::int64_t num_units, const IndependentCellOptions& options = {});
};

// An LSTM of independent units; the state is c and h.
class IndyLSTMCell : public IndependentCell {
 public:
  explicit IndyLSTMCell(std::int64_t num_units, double forget_bias = 1.0,
                        const IndependentCellOptions& options = {});
};

// Gates that see the input alone, so that all steps' products can be computed at once.
class SRUCell : public IndependentCell {
 public:
  explicit SRUCell(std::int64_t num_units, const IndependentCellOptions& options = {});
};

}  // namespace rill::contrib::rnn
