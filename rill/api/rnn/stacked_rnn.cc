#include "rill/api/rnn/stacked_rnn.h"

#include "rill/api/array/joining.h"
#include "rill/base/error.h"

namespace rill::contrib::rnn {
namespace {

void check_cells(const Cells& cells_fw, const Cells& cells_bw) {
  require(!cells_fw.empty(), "Must specify at least one fw cell for BidirectionalRNN.");
  require(!cells_bw.empty(), "Must specify at least one bw cell for BidirectionalRNN.");
  require(cells_fw.size() == cells_bw.size(),
          "Forward and Backward cells must have the same depth.");
}

std::unique_ptr<VariableScopeBlock> open_stack(const layers::ScopeChoice& scope,
                                               std::source_location at) {
  return (scope ? scope : layers::ScopeChoice("stack_bidirectional_rnn")).open({}, at);
}

}  // namespace

StackedDynamicRnn stack_bidirectional_dynamic_rnn(const Cells& cells_fw, const Cells& cells_bw,
                                                  const Input& inputs,
                                                  const StackedDynamicRnnOptions& options,
                                                  std::source_location at) {
  check_cells(cells_fw, cells_bw);
  const auto stack = open_stack(options.scope, at);
  StackedDynamicRnn result{as_tensor(inputs), {}, {}};
  for (std::size_t i = 0; i < cells_fw.size(); ++i) {
    const VariableScopeBlock cell(str_cat("cell_", i), {}, at);
    const auto [fw, bw] =
        nn::bidirectional_dynamic_rnn(*cells_fw[i], *cells_bw[i], result.outputs,
                                      {.sequence_length = options.sequence_length,
                                       .dtype = options.dtype,
                                       .parallel_iterations = options.parallel_iterations,
                                       .swap_memory = options.swap_memory,
                                       .time_major = options.time_major},
                                      at);
    result.outputs = concat({fw.output(), bw.output()}, 2);
    result.states_fw.push_back(fw.state);
    result.states_bw.push_back(bw.state);
  }
  return result;
}

StackedRnn stack_bidirectional_rnn(const Cells& cells_fw, const Cells& cells_bw,
                                   const std::vector<Output>& inputs,
                                   const StackedRnnOptions& options, std::source_location at) {
  check_cells(cells_fw, cells_bw);
  const auto stack = open_stack(options.scope, at);
  StackedRnn result{inputs, {}, {}};
  for (std::size_t i = 0; i < cells_fw.size(); ++i) {
    const VariableScopeBlock cell(str_cat("cell_", i), {}, at);
    const nn::StaticBidirectionalRnn both = nn::static_bidirectional_rnn(
        *cells_fw[i], *cells_bw[i], result.outputs,
        {.dtype = options.dtype, .sequence_length = options.sequence_length}, at);
    result.outputs = both.output();
    result.states_fw.push_back(both.state_fw);
    result.states_bw.push_back(both.state_bw);
  }
  return result;
}

}  // namespace rill::contrib::rnn
