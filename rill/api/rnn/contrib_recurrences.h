#pragma once

#include <optional>
#include <vector>

#include "rill/api/rnn/recurrence.h"

// The arithmetic of tf.contrib.rnn's cells.
namespace rill::nn::rnn_cell {

// cell_clip: the largest absolute value in c. use_peephole: the gates see c.
struct LstmBlockForm {
  double forget_bias = 1.0;
  std::optional<double> cell_clip = {};
  bool use_peephole = false;
};
// An LSTM whose step is one node.
RecurrenceRef lstm_block(std::int64_t num_units, const LstmBlockForm& form = {});
// A GRU whose step is one node; `second_names`: its variables are called as GRUCell's.
RecurrenceRef gru_block(std::int64_t num_units, bool second_names = true);
// What ops of whole LSTMs get: variables, and vectors of zeros where there are no peepholes.
std::vector<CellWeight> lstm_block_weights(std::int64_t depth, std::int64_t units,
                                           bool use_peephole);
std::vector<Input> block_peepholes(const Inputs& weights, std::int64_t units, DType dtype);

struct LayerNormLstmForm {
  double forget_bias = 1.0;
  Activation activation = {};
  bool layer_norm = true;
  double dropout_keep_prob = 1.0;  // of candidates, so that memory is not lost
  std::optional<std::int64_t> dropout_prob_seed = {};
};
// An LSTM whose gates and state are normalised over the units.
RecurrenceRef layer_norm_lstm(std::int64_t num_units, const LayerNormLstmForm& form = {});

// Keeps or takes, by one gate.
RecurrenceRef ugrnn(std::int64_t num_units, double forget_bias = 1.0, Activation activation = {});

// The input gate is 1 - the forget gate, so that there is a kernel for three gates, not four.
struct CoupledLstmForm {
  bool use_peepholes = false;
  std::optional<std::int64_t> num_proj = {};
  std::optional<double> proj_clip = {};
  double forget_bias = 1.0;
  bool state_is_tuple = true;
  Activation activation = {};
};
// An LSTM that takes in as much as it forgets.
RecurrenceRef coupled_lstm(std::int64_t num_units, const CoupledLstmForm& form = {});

struct ConvLstmForm {
  std::vector<std::int64_t> input_shape = {};  // without the batch; the last are the channels
  std::int64_t output_channels = 0;
  std::vector<std::int64_t> kernel_shape = {};  // of the window: one, two or three sizes
  bool use_bias = true;
  bool skip_connection = false;  // the inputs go out, too
  double forget_bias = 1.0;
};
// An LSTM of pictures: gates are convolutions. Throws InvalidArgument when the shapes do not fit.
RecurrenceRef conv_lstm(const ConvLstmForm& form);

// num_proj: the size that h is projected to; none: the units.
struct NasForm {
  std::optional<std::int64_t> num_proj = {};
  bool use_bias = false;
};
// The cell that a search over architectures found.
RecurrenceRef nas(std::int64_t num_units, const NasForm& form = {});

}  // namespace rill::nn::rnn_cell
