#pragma once

#include <functional>
#include <memory>

#include "rill/api/rnn/contrib_cells.h"
#include "rill/api/rnn/fused_lstm.h"

// tf.contrib.rnn: networks that are called once for all steps. Inputs and outputs are [time, batch,
// ...].
namespace rill::contrib::rnn {

using FusedRNNCell = std::function<FusedRnn(Output inputs, const FusedCallOptions& options)>;

struct FusedAdaptorOptions {
  bool use_dynamic_rnn = false;  // a loop; false: nodes for each step
  DType dtype = DType::f32;      // of the states
};
// Any cell as one that is called once.
class FusedRNNCellAdaptor {
 public:
  explicit FusedRNNCellAdaptor(std::shared_ptr<RNNCell> cell,
                               const FusedAdaptorOptions& options = {})
      : cell_(std::move(cell)), options_(options) {}
  FusedRnn operator()(Output inputs, const FusedCallOptions& options = {}) const;

 private:
  std::shared_ptr<RNNCell> cell_;
  FusedAdaptorOptions options_;
};
// A fused cell that reads its inputs backwards, each sequence from its own end.
class TimeReversedFusedRNN {
 public:
  explicit TimeReversedFusedRNN(FusedRNNCell cell) : cell_(std::move(cell)) {}
  FusedRnn operator()(Output inputs, const FusedCallOptions& options = {}) const;

 private:
  FusedRNNCell cell_;
};
using LSTMBlockWrapper = LSTMBlockFusedCell;

// ConvLSTMCell of lines, pictures and volumes.
struct Conv1DLSTMCell : ConvLSTMCell {
  Conv1DLSTMCell(std::vector<std::int64_t> input_shape, std::int64_t output_channels,
                 std::vector<std::int64_t> kernel_shape,
                 ConvLSTMCellOptions options = {.name = "conv_1d_lstm_cell"})
      : ConvLSTMCell(std::move(input_shape), output_channels, std::move(kernel_shape), options) {}
};
struct Conv2DLSTMCell : ConvLSTMCell {
  Conv2DLSTMCell(std::vector<std::int64_t> input_shape, std::int64_t output_channels,
                 std::vector<std::int64_t> kernel_shape,
                 ConvLSTMCellOptions options = {.name = "conv_2d_lstm_cell"})
      : ConvLSTMCell(std::move(input_shape), output_channels, std::move(kernel_shape), options) {}
};
struct Conv3DLSTMCell : ConvLSTMCell {
  Conv3DLSTMCell(std::vector<std::int64_t> input_shape, std::int64_t output_channels,
                 std::vector<std::int64_t> kernel_shape,
                 ConvLSTMCellOptions options = {.name = "conv_3d_lstm_cell"})
      : ConvLSTMCell(std::move(input_shape), output_channels, std::move(kernel_shape), options) {}
};

// The number of examples of inputs [time, batch, ...]: of the first that says it, else a tensor.
// Throws InvalidArgument where there are no inputs or one has no batch.
nn::BatchSize best_effort_input_batch_size(const std::vector<Output>& flat_input);

}  // namespace rill::contrib::rnn
