#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <source_location>
#include <utility>
#include <vector>

#include "rill/api/layers/scope_choice.h"
#include "rill/api/rnn/cell.h"

namespace rill::nn {

// Networks that a loop of the graph runs over time.

// parallel_iterations: steps that may run at once where they do not depend on each other.
// swap_memory: what the gradient needs may leave the device meanwhile.
struct DynamicRnnOptions {
  OptionalInput sequence_length = {};  // of each example: later outputs are zeros
  std::optional<std::vector<Input>> initial_state = {};
  DType dtype = DType::invalid;  // of the states and outputs; may be left out with a state
  int parallel_iterations = 32;
  bool swap_memory = false;
  bool time_major = false;         // [time, batch, ...] instead of [batch, time, ...]
  layers::ScopeChoice scope = {};  // "rnn"
};

// The outputs of all steps, stacked as the inputs are, and the last state.
struct DynamicRnn {
  std::vector<Output> outputs = {};
  rnn_cell::State state = {};
  Output output() const { return outputs.at(0); }
};

// Feeds the steps of `inputs` to the cell. Past its sequence's length an example's outputs are
// zeros and its state stays: the last state is that of its last step. The loop ends with the time
// dimension of the inputs. Throws InvalidArgument when ranks or depths are not known or do not fit
// each other, or neither an initial state nor a dtype is given.
//
//   auto [outputs, state] = nn::dynamic_rnn(cell, batch, {.sequence_length = lengths,
//                                                         .dtype = DType::f32});
DynamicRnn dynamic_rnn(Cell& cell, const Inputs& inputs, const DynamicRnnOptions& options = {},
                       std::source_location at = std::source_location::current());
inline DynamicRnn dynamic_rnn(Cell& cell, const Input& inputs,
                              const DynamicRnnOptions& options = {},
                              std::source_location at = std::source_location::current()) {
  return dynamic_rnn(cell, std::vector<Input>{inputs}, options, at);
}
template <std::derived_from<Cell> SomeCell>
DynamicRnn dynamic_rnn(const std::shared_ptr<SomeCell>& cell, const Input& inputs,
                       const DynamicRnnOptions& options = {},
                       std::source_location at = std::source_location::current()) {
  return dynamic_rnn(*cell, inputs, options, at);
}

struct BidirectionalDynamicRnnOptions {
  OptionalInput sequence_length = {};
  std::optional<std::vector<Input>> initial_state_fw = {}, initial_state_bw = {};
  DType dtype = DType::invalid;
  int parallel_iterations = 32;
  bool swap_memory = false;
  bool time_major = false;
  layers::ScopeChoice scope = {};  // "bidirectional_rnn"
};
// Two networks, one of which reads its inputs backwards, each sequence from its own end; its
// outputs are turned round again.
std::pair<DynamicRnn, DynamicRnn> bidirectional_dynamic_rnn(
    Cell& cell_fw, Cell& cell_bw, const Inputs& inputs,
    const BidirectionalDynamicRnnOptions& options = {},
    std::source_location at = std::source_location::current());
inline std::pair<DynamicRnn, DynamicRnn> bidirectional_dynamic_rnn(
    Cell& cell_fw, Cell& cell_bw, const Input& inputs,
    const BidirectionalDynamicRnnOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return bidirectional_dynamic_rnn(cell_fw, cell_bw, std::vector<Input>{inputs}, options, at);
}

}  // namespace rill::nn
