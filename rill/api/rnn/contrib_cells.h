#pragma once

#include <memory>
#include <string>

#include "rill/api/rnn/cell_wrappers.h"
#include "rill/api/rnn/cells.h"
#include "rill/api/rnn/contrib_recurrences.h"

// tf.contrib.rnn's cells.
namespace rill::contrib::rnn {

using namespace nn::rnn_cell;

// cell_clip: the largest absolute value in c; none where absent.
struct LSTMBlockCellOptions {
  double forget_bias = 1.0;
  std::optional<double> cell_clip = {};
  bool use_peephole = false;
  Reuse reuse = Reuse::kUnset;
  std::string name = "lstm_cell";
  DType dtype = DType::invalid;
};
// An LSTM whose step is one node: faster than BasicLSTMCell, with the same variables.
class LSTMBlockCell : public LayerRNNCell {
 public:
  explicit LSTMBlockCell(std::int64_t num_units, const LSTMBlockCellOptions& options = {});
};

struct GRUBlockCellOptions {
  Reuse reuse = Reuse::kUnset;
  std::string name = "gru_cell";
};
// A GRU whose step is one node.
class GRUBlockCell : public LayerRNNCell {
 public:
  explicit GRUBlockCell(std::int64_t num_units, const GRUBlockCellOptions& options = {});
};
// The same with variables that are called as GRUCell's.
class GRUBlockCellV2 : public LayerRNNCell {
 public:
  explicit GRUBlockCellV2(std::int64_t num_units, const GRUBlockCellOptions& options = {});
};

// Without layer_norm it is a BasicLSTMCell with dropout.
struct LayerNormBasicLSTMCellOptions {
  double forget_bias = 1.0;
  Activation activation = {};
  bool layer_norm = true;
  double norm_gain = 1.0, norm_shift = 0.0;  // how scales and offsets start
  double dropout_keep_prob = 1.0;
  std::optional<std::int64_t> dropout_prob_seed = {};
  Reuse reuse = Reuse::kUnset;
};
// An LSTM whose gates and state are normalised over the units. Dropout is of the candidates only,
// so that what it remembers is not lost.
class LayerNormBasicLSTMCell : public LayerRNNCell {
 public:
  explicit LayerNormBasicLSTMCell(std::int64_t num_units,
                                  const LayerNormBasicLSTMCellOptions& options = {});

 protected:
  Initializer start_of(CellWeight::Start start) const override;

 private:
  double gain_, shift_;
};

// forget_bias is added to the gate, so that a new cell keeps more than it takes.
struct UGRNNCellOptions {
  Initializer initializer = {};
  double forget_bias = 1.0;
  Activation activation = {};
  Reuse reuse = Reuse::kUnset;
};
// Keeps or takes, by one gate g: state = g * state + (1 - g) * candidate.
class UGRNNCell : public LayerRNNCell {
 public:
  explicit UGRNNCell(std::int64_t num_units, const UGRNNCellOptions& options = {});
};

// num_proj: the size that h is projected to; proj_clip limits the projection.
struct CoupledInputForgetGateLSTMCellOptions {
  bool use_peepholes = false;
  Initializer initializer = {};
  std::optional<std::int64_t> num_proj = {};
  std::optional<double> proj_clip = {};
  double forget_bias = 1.0;
  bool state_is_tuple = true;
  Activation activation = {};
  Reuse reuse = Reuse::kUnset;
};
// An LSTM that takes in as much as it forgets: the input gate is 1 - the forget gate.
class CoupledInputForgetGateLSTMCell : public LayerRNNCell {
 public:
  explicit CoupledInputForgetGateLSTMCell(
      std::int64_t num_units, const CoupledInputForgetGateLSTMCellOptions& options = {});
};

// skip_connection: the inputs go out beside the state, as more channels.
struct ConvLSTMCellOptions {
  bool use_bias = true, skip_connection = false;
  double forget_bias = 1.0;
  std::string name = "conv_lstm_cell";
};
// An LSTM of lines, pictures or volumes of `input_shape`, whose gates are convolutions.
class ConvLSTMCell : public LayerRNNCell {
 public:
  // input_shape is without the batch, its last dimension the channels; kernel_shape has one size
  // less, or InvalidArgument is thrown.
  ConvLSTMCell(std::vector<std::int64_t> input_shape, std::int64_t output_channels,
               std::vector<std::int64_t> kernel_shape, const ConvLSTMCellOptions& options = {});
};

struct NASCellOptions {
  std::optional<std::int64_t> num_proj = {};
  bool use_bias = false;
  Reuse reuse = Reuse::kUnset;
};
// The cell that a search over architectures found.
class NASCell : public LayerRNNCell {
 public:
  explicit NASCell(std::int64_t num_units, const NASCellOptions& options = {});
};

// Projects the outputs of a cell. Projecting all outputs at once after the network is faster.
// Throws InvalidArgument for a size below 1.
class OutputProjectionWrapper : public RNNCell {
 public:
  OutputProjectionWrapper(std::shared_ptr<RNNCell> cell, std::int64_t output_size,
                          Activation activation = {});
  Sizes state_sizes() const override { return cell_->state_sizes(); }
  Sizes output_sizes() const override { return {{output_size_}}; }
  State zero_state(const nn::BatchSize& batch_size, DType dtype,
                   std::source_location at = std::source_location::current()) override;
  CellOutput compute(const std::vector<Output>& inputs, const State& state) override;

 private:
  std::shared_ptr<RNNCell> cell_;
  std::int64_t output_size_;
  Activation activation_;
};

// Projects the inputs of a cell to num_proj elements, with variables of its own.
class InputProjectionWrapper : public RNNCell {
 public:
  InputProjectionWrapper(std::shared_ptr<RNNCell> cell, std::int64_t num_proj,
                         Activation activation = {});
  Sizes state_sizes() const override { return cell_->state_sizes(); }
  Sizes output_sizes() const override { return cell_->output_sizes(); }
  State zero_state(const nn::BatchSize& batch_size, DType dtype,
                   std::source_location at = std::source_location::current()) override;
  CellOutput compute(const std::vector<Output>& inputs, const State& state) override;

 private:
  std::shared_ptr<RNNCell> cell_;
  std::int64_t num_proj_;
  Activation activation_;
};

// Takes numbers of words and gives the cell their rows of a table, which is a variable of this
// cell. Throws InvalidArgument unless both sizes are positive.
class EmbeddingWrapper : public RNNCell {
 public:
  EmbeddingWrapper(std::shared_ptr<RNNCell> cell, std::int64_t embedding_classes,
                   std::int64_t embedding_size, Initializer initializer = {});
  Sizes state_sizes() const override { return cell_->state_sizes(); }
  Sizes output_sizes() const override { return cell_->output_sizes(); }
  State zero_state(const nn::BatchSize& batch_size, DType dtype,
                   std::source_location at = std::source_location::current()) override;
  CellOutput compute(const std::vector<Output>& inputs, const State& state) override;

 private:
  std::shared_ptr<RNNCell> cell_;
  std::int64_t classes_, size_;
  Initializer initializer_;
};

}  // namespace rill::contrib::rnn
