#pragma once

#include <optional>
#include <source_location>
#include <vector>

#include "rill/api/layers/layer.h"
#include "rill/api/rnn/cells.h"

namespace rill::contrib::rnn {

using namespace nn::rnn_cell;

struct FusedLstmForm {
  double forget_bias = 1.0;
  std::optional<double> cell_clip = {};
  bool use_peephole = false;
};
struct FusedRnn {
  Output outputs = {};  // [time, batch, units]
  State state = {};
};
// An LSTM over [time, batch, depth] in one node. `weights` are those of lstm_block_weights.
FusedRnn fused_lstm(Output inputs, const std::optional<State>& initial_state,
                    const OptionalInput& sequence_length, std::int64_t num_units,
                    const Inputs& weights, const FusedLstmForm& form);

struct LSTMBlockFusedCellOptions {
  double forget_bias = 1.0;
  std::optional<double> cell_clip = {};
  bool use_peephole = false;
  Reuse reuse = Reuse::kUnset;
  DType dtype = DType::invalid;
  std::string name = "lstm_fused_cell";
};
// sequence_length: of each example; later outputs are zeros.
struct FusedCallOptions {
  std::optional<State> initial_state = {};  // c and h; zeros
  OptionalInput sequence_length = {};
  rill::layers::ScopeChoice scope = {};
};
// The same as a layer, called once for all steps: no loop of the graph. Inputs are [time, batch,
// depth] with a known depth, or InvalidArgument is thrown.
class LSTMBlockFusedCell : public rill::layers::Layer {
 public:
  explicit LSTMBlockFusedCell(std::int64_t num_units,
                              const LSTMBlockFusedCellOptions& options = {});
  FusedRnn operator()(Output inputs, const FusedCallOptions& options = {},
                      std::source_location at = std::source_location::current());

  void build(const PartialShape& input) override;
  std::vector<Output> call_all(const std::vector<Output>& inputs,
                               const rill::layers::CallArguments& arguments) override;

 private:
  std::int64_t units_;
  FusedLstmForm form_;
  OptionalInput sequence_length_;
  std::vector<rill::layers::Weight> weights_;
};

}  // namespace rill::contrib::rnn
