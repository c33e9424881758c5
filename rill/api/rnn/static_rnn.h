#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/layers/scope_choice.h"
#include "rill/api/rnn/cell.h"

namespace rill::nn {

// Networks with nodes of their own for every step.

// One list of tensors for each step.
using StepInputs = std::vector<std::vector<Input>>;
using StepOutputs = std::vector<std::vector<Output>>;
// The steps of a network with one input.
StepInputs step_inputs(const std::vector<Output>& steps);

struct StaticRnnOptions {
  std::optional<std::vector<Input>> initial_state = {};
  DType dtype = DType::invalid;        // of the states and outputs; may be left out with a state
  OptionalInput sequence_length = {};  // of each example: later outputs are zeros
  layers::ScopeChoice scope = {};      // "rnn"
};
struct StaticRnn {
  StepOutputs outputs = {};
  rnn_cell::State state = {};
  std::vector<Output> output() const;  // the first of every step
};
// As many steps as there are inputs, each with nodes of its own: no loop, but a graph that grows
// with the length. With sequence_length, steps beyond the longest example are skipped when they
// run. Throws InvalidArgument when there are no steps, shapes are not known or do not fit each
// other, or neither an initial state nor a dtype is given.
StaticRnn static_rnn(Cell& cell, const StepInputs& inputs, const StaticRnnOptions& options = {},
                     std::source_location at = std::source_location::current());
inline StaticRnn static_rnn(Cell& cell, const std::vector<Output>& inputs,
                            const StaticRnnOptions& options = {},
                            std::source_location at = std::source_location::current()) {
  return static_rnn(cell, step_inputs(inputs), options, at);
}

// Keeps states from one run to the next, for sequences that are cut into pieces. The network runs
// save_state before its last output is there.
class StateSaver {
 public:
  virtual ~StateSaver() = default;
  // What was saved under that name, [batch, size]; and the operation that saves.
  virtual Output state(const std::string& name) = 0;
  virtual Node& save_state(const std::string& name, Output value) = 0;
};
struct StaticStateSavingRnnOptions {
  OptionalInput sequence_length = {};
  layers::ScopeChoice scope = {};
};
// static_rnn that starts with the saver's states and saves the last ones, which have a name each.
StaticRnn static_state_saving_rnn(Cell& cell, const StepInputs& inputs, StateSaver& state_saver,
                                  const std::vector<std::string>& state_name,
                                  const StaticStateSavingRnnOptions& options = {},
                                  std::source_location at = std::source_location::current());

struct StaticBidirectionalRnnOptions {
  std::optional<std::vector<Input>> initial_state_fw = {}, initial_state_bw = {};
  DType dtype = DType::invalid;
  OptionalInput sequence_length = {};
  layers::ScopeChoice scope = {};  // "bidirectional_rnn"
};
struct StaticBidirectionalRnn {
  StepOutputs outputs = {};  // those of both networks side by side
  rnn_cell::State state_fw = {}, state_bw = {};
  std::vector<Output> output() const;
};
// Two networks, one of which reads its inputs backwards, each sequence from its own end.
StaticBidirectionalRnn static_bidirectional_rnn(
    Cell& cell_fw, Cell& cell_bw, const StepInputs& inputs,
    const StaticBidirectionalRnnOptions& options = {},
    std::source_location at = std::source_location::current());
inline StaticBidirectionalRnn static_bidirectional_rnn(
    Cell& cell_fw, Cell& cell_bw, const std::vector<Output>& inputs,
    const StaticBidirectionalRnnOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return static_bidirectional_rnn(cell_fw, cell_bw, step_inputs(inputs), options, at);
}

}  // namespace rill::nn
