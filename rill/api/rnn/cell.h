#pragma once

#include <optional>

#include "rill/api/rnn/recurrence.h"

namespace rill::nn {

// How many examples a batch has: known, or a tensor.
class BatchSize {
 public:
  BatchSize(std::int64_t known) : known_(known) {}
  BatchSize(int known) : known_(known) {}
  BatchSize(Output tensor) : tensor_(tensor) {}
  // Dimension `axis` of x; a node where it is not known.
  static BatchSize of(Output x, int axis);

  std::optional<std::int64_t> known() const { return known_; }
  Output tensor() const { return tensor_; }
  // The number, also where it is the value of a constant; kUnknownDim: not known.
  std::int64_t static_size() const;

 private:
  std::optional<std::int64_t> known_;
  Output tensor_;
};

// What a network needs to know of a cell. Inputs, outputs and states are flat lists, in the order
// of the sizes. A network calls step once in a loop's body, or once for each step of a static one.
class Cell {
 public:
  virtual ~Cell() = default;
  virtual rnn_cell::Sizes state_sizes() const = 0;
  virtual rnn_cell::Sizes output_sizes() const = 0;
  // The state before the first step.
  virtual rnn_cell::State initial_state(const BatchSize& batch_size, DType dtype) = 0;
  // The nodes of one step; the state it gives has as many tensors as the one it got.
  virtual rnn_cell::CellOutput step(const std::vector<Output>& inputs,
                                    const rnn_cell::State& state) = 0;
};

}  // namespace rill::nn
