#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::nn::rnn_cell {

using Activation = std::function<Output(Output)>;

// The shapes of one example's tensors, without the dimension of the batch. States of several
// tensors are flat lists.
using Sizes = std::vector<PartialShape>;
using State = std::vector<Output>;

// What one step of a cell gives.
struct CellOutput {
  std::vector<Output> outputs = {};
  State state = {};
  Output output() const { return outputs.at(0); }
};

// A variable that a cell needs, and how it starts where the program says nothing else.
struct CellWeight {
  enum class Start {
    kGiven,    // with the cell's initializer, else the scope's
    kZeros,    // so do biases ...
    kOnes,     // ... and those of gates that shall be open at first
    kScales,   // with the cell's scale of normalisation
    kOffsets,  // and its offset
  };
  std::string name = {};
  PartialShape shape = {};
  Start start = Start::kGiven;
  int shards = 0;  // 0: as the scope's partitioner says
};

// The arithmetic of one kind of cell, apart from the cell's name and variables, so that layers of
// other interfaces can share it. Immutable: one object may serve many cells.
class Recurrence {
 public:
  virtual ~Recurrence() = default;
  virtual Sizes state_size() const = 0;
  virtual PartialShape output_size() const = 0;
  virtual std::vector<CellWeight> weights(std::int64_t input_depth) const = 0;
  // Makes the nodes of one step; `weights` are those of weights(), in that order. Throws
  // InvalidArgument when the state has another number of tensors.
  virtual CellOutput step(Output input, const State& state, const Inputs& weights) const = 0;
};
using RecurrenceRef = std::shared_ptr<const Recurrence>;

// activation: tanh where there is none.
RecurrenceRef basic_rnn(std::int64_t num_units, Activation activation = {});
RecurrenceRef gru(std::int64_t num_units, Activation activation = {});

struct BasicLstmForm {
  double forget_bias = 1.0;
  bool state_is_tuple = true;  // false: c and h are one tensor, side by side
  Activation activation = {};
};
RecurrenceRef basic_lstm(std::int64_t num_units, const BasicLstmForm& form = {});

// As LSTMCellOptions in cells.h say.
struct LstmForm {
  bool use_peepholes = false;
  std::optional<double> cell_clip = {};
  std::optional<std::int64_t> num_proj = {};
  std::optional<double> proj_clip = {};
  int num_unit_shards = 0, num_proj_shards = 0;  // 0: as the scope's partitioner says
  double forget_bias = 1.0;
  bool state_is_tuple = true;
  Activation activation = {};
};
// Both are LSTMs with the gates in the order input, candidate, forget, output.
RecurrenceRef lstm(std::int64_t num_units, const LstmForm& form = {});

}  // namespace rill::nn::rnn_cell
