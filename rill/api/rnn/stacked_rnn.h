#pragma once

#include <utility>
#include <vector>

#include "rill/api/rnn/dynamic_rnn.h"
#include "rill/api/rnn/static_rnn.h"

// Networks that run both ways on top of each other: each reads the outputs of both directions of
// the one below.
namespace rill::contrib::rnn {

using Cells = std::vector<nn::Cell*>;

struct StackedDynamicRnn {
  Output outputs = {};  // both directions side by side
  std::vector<nn::rnn_cell::State> states_fw = {}, states_bw = {};
};
struct StackedDynamicRnnOptions {
  DType dtype = DType::invalid;
  OptionalInput sequence_length = {};
  int parallel_iterations = 32;
  bool swap_memory = false;
  bool time_major = false;
  rill::layers::ScopeChoice scope = {};  // "stack_bidirectional_rnn"
};
// Throw InvalidArgument without cells, or with different numbers of them for the directions. The
// states are those of the layers, the lowest first.
StackedDynamicRnn stack_bidirectional_dynamic_rnn(
    const Cells& cells_fw, const Cells& cells_bw, const Input& inputs,
    const StackedDynamicRnnOptions& options = {},
    std::source_location at = std::source_location::current());

struct StackedRnn {
  std::vector<Output> outputs = {};
  std::vector<nn::rnn_cell::State> states_fw = {}, states_bw = {};
};
struct StackedRnnOptions {
  DType dtype = DType::invalid;
  OptionalInput sequence_length = {};
  rill::layers::ScopeChoice scope = {};  // "stack_bidirectional_rnn"
};
StackedRnn stack_bidirectional_rnn(const Cells& cells_fw, const Cells& cells_bw,
                                   const std::vector<Output>& inputs,
                                   const StackedRnnOptions& options = {},
                                   std::source_location at = std::source_location::current());

}  // namespace rill::contrib::rnn
