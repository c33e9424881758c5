#include <algorithm>

#include "rill/api/array/joining.h"
#include "rill/api/gen/array.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/api/rnn/static_rnn.h"
#include "rill/base/error.h"

namespace rill::nn {
namespace {

// The steps from last to first; with lengths each sequence from its own end.
std::vector<std::vector<Output>> turned(std::vector<std::vector<Output>> steps,
                                        const OptionalInput& lengths) {
  if (!lengths) {
    std::ranges::reverse(steps);
    return steps;
  }
  for (std::size_t i = 0; i < steps[0].size(); ++i) {
    std::vector<Input> over_time;
    for (const std::vector<Output>& step : steps) over_time.emplace_back(step.at(i));
    const Output reversed = raw::ReverseSequence(stack(over_time), *lengths, 0, {.batch_dim = 1});
    const std::vector<Output> apart = unstack(reversed);
    for (std::size_t time = 0; time < steps.size(); ++time) steps[time][i] = apart.at(time);
  }
  return steps;
}

StepInputs as_inputs(const std::vector<std::vector<Output>>& steps) {
  StepInputs inputs;
  for (const std::vector<Output>& step : steps) inputs.emplace_back(step.begin(), step.end());
  return inputs;
}

}  // namespace

StaticBidirectionalRnn static_bidirectional_rnn(Cell& cell_fw, Cell& cell_bw,
                                                const StepInputs& inputs,
                                                const StaticBidirectionalRnnOptions& options,
                                                std::source_location at) {
  require(!inputs.empty(), "inputs must not be empty");
  StaticRnnOptions one{.initial_state = options.initial_state_fw,
                       .dtype = options.dtype,
                       .sequence_length = options.sequence_length};
  const OptionalInput lengths = lengths_input(options.sequence_length);
  StaticRnn forward, backward;
  {
    const auto both =
        (options.scope ? options.scope : layers::ScopeChoice("bidirectional_rnn")).open({}, at);
    std::vector<std::vector<Output>> steps;
    for (const Inputs step : inputs) steps.push_back(each_as_tensor(step));
    {
      const VariableScopeBlock fw("fw", {}, at);
      one.scope = fw.scope();
      forward = static_rnn(cell_fw, as_inputs(steps), one, at);
    }
    const VariableScopeBlock bw("bw", {}, at);
    one.scope = bw.scope();
    one.initial_state = options.initial_state_bw;
    backward = static_rnn(cell_bw, as_inputs(turned(steps, lengths)), one, at);
  }
  const MadeAt place(at);
  const std::vector<std::vector<Output>> in_order = turned(backward.outputs, lengths);
  StaticBidirectionalRnn network{forward.outputs, forward.state, backward.state};
  for (std::size_t time = 0; time < in_order.size(); ++time)
    for (std::size_t i = 0; i < in_order[time].size(); ++i)
      network.outputs[time].at(i) = concat({network.outputs[time].at(i), in_order[time][i]}, 1);
  return network;
}

}  // namespace rill::nn
