#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/api/keras/layer_kinds.h"

namespace rill::keras {
namespace layers {

// The base of cells that programs define: build_all() makes the weights, state_sizes() says how
// large states are, step() makes an output and states of an input and states.
//
//   struct MinimalCell : tf::keras::layers::AbstractRNNCell {
//     explicit MinimalCell(std::int64_t units) : AbstractRNNCell("MinimalCell", {}) { s.units =
//     units; } void build_all(const std::vector<PartialShape>& in) override { add_weights(in[0], 1,
//     {}, {}); } backend::StepResult step(Output x, const std::vector<Output>& states) override {
//     ... }
//   };
//   auto y = tf::keras::layers::RNN(std::make_shared<MinimalCell>(32))(x);
using AbstractRNNCell = Cell;

// Cells one upon the other, as one: states are those of all cells, the output is the last one's.
class StackedCells : public Cell {
 public:
  StackedCells(LayerOptions options, std::vector<CellRef> cells);
  void build_all(const std::vector<PartialShape>& inputs) override;
  std::vector<std::int64_t> state_sizes() const override;
  std::vector<Output> call_all(const std::vector<Output>& inputs,
                               const CallArguments& arguments) override;

 protected:
  backend::StepResult step(Output x, const std::vector<Output>& states) override;

 private:
  std::vector<CellRef> cells_;
};
// RNN({LSTMCell, LSTMCell}) of Python: RNN(StackedRNNCells({make_cell("LSTMCell", 64), ...})).
CellRef StackedRNNCells(const std::vector<CellRef>& cells, const std::string& name = {});

// A layer around another, whose variables, losses and updates are its own.
class Wrapper : public KerasLayer {
 public:
  Wrapper(std::string class_name, const LayerRef& layer, LayerOptions options = {});
  void build_all(const std::vector<PartialShape>& inputs) override;
  const LayerRef& layer() const { return layer_; }

 private:
  LayerRef layer_;
};

}  // namespace layers

namespace experimental {

// LSTM whose gates look at the cell's state, too.
class PeepholeLSTMCell : public layers::LSTMCell {
 public:
  using LSTMCell::LSTMCell;
  explicit PeepholeLSTMCell(std::int64_t units, const LayerArguments& arguments = {});
  void build_all(const std::vector<PartialShape>& inputs) override;

 protected:
  backend::StepResult step(Output x, const std::vector<Output>& states) override;

 private:
  rill::layers::Weight input_gate_, forget_gate_, output_gate_;
};

}  // namespace experimental
}  // namespace rill::keras
