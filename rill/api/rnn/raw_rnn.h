#pragma once

#include <functional>
#include <optional>
#include <source_location>
#include <vector>

#include "rill/api/core/tensor_array.h"
#include "rill/api/layers/scope_choice.h"
#include "rill/api/rnn/cell.h"

namespace rill::nn {

// What a program sees after each step of a raw_rnn; null before the first one, but for the time.
struct RawRnnNow {
  Output time = {};
  const std::vector<Output>* output = nullptr;
  const rnn_cell::State* state = nullptr;
  const std::vector<Output>* loop_state = nullptr;
};
// What it answers with.
struct RawRnnNext {
  Output finished = {};  // a bool for each example
  std::vector<Output> input = {};
  rnn_cell::State state = {};
  // What is kept of this step. Before the first one: tensors of the shapes of one example, or none
  // for those of the cell's outputs.
  std::optional<std::vector<Output>> emit = {};
  std::optional<std::vector<Output>> loop_state = {};  // none: as it was
};
using RawRnnFn = std::function<RawRnnNext(const RawRnnNow& now)>;

struct RawRnnOptions {
  int parallel_iterations = 32;
  bool swap_memory = false;
  layers::ScopeChoice scope = {};  // "rnn"
};
struct RawRnn {
  std::vector<TensorArray> emitted = {};
  rnn_cell::State state = {};
  std::optional<std::vector<Output>> loop_state = {};
};
// A loop that goes on until all examples are finished, and in which the program chooses each next
// input and state, as a decoder does that reads its own outputs. `loop_fn` is called twice, before
// the first step and to build the loop's body. Emitted tensors of finished examples are zeros.
// Throws InvalidArgument when it answers with other numbers of tensors than at first, or batches
// differ.
RawRnn raw_rnn(Cell& cell, const RawRnnFn& loop_fn, const RawRnnOptions& options = {},
               std::source_location at = std::source_location::current());

}  // namespace rill::nn
