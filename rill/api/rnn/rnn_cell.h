#pragma once

#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/layers/layer.h"
#include "rill/api/rnn/cell.h"

namespace rill::nn::rnn_cell {

struct InitialStateOptions {
  Output inputs = {};  // tell the other two
  std::optional<BatchSize> batch_size = {};
  DType dtype = DType::invalid;
};

// A layer that is called once for each step: it gets an input and the state that its last call left
// behind. Subclasses say the sizes and what a step computes; variables are made in build() with
// add_weight, or in the step with get_variable:
//
//   struct Sum : tf::nn::rnn_cell::RNNCell {
//     Sum() : RNNCell("Sum") {}
//     Sizes state_sizes() const override { return {{3}}; }
//     Sizes output_sizes() const override { return {{3}}; }
//     CellOutput compute(const std::vector<Output>& inputs, const State& state) override {
//       Output next = state[0] + inputs[0];
//       return {{next}, {next}};
//     }
//   };
class RNNCell : public layers::Layer, public Cell {
 public:
  explicit RNNCell(std::string class_name, layers::LayerOptions options = {});
  ~RNNCell() override;

  // The nodes of one step. It is called in the cell's variable scope.
  virtual CellOutput compute(const std::vector<Output>& inputs, const State& state) = 0;

  CellOutput operator()(Output input, const State& state, const layers::ScopeChoice& scope = {},
                        std::source_location at = std::source_location::current()) {
    return apply({input}, state, scope, at);
  }
  // The call of the cell with all that belongs to it. Throws InvalidArgument when the inputs do not
  // fit.
  virtual CellOutput apply(const std::vector<Output>& inputs, const State& state,
                           const layers::ScopeChoice& scope, std::source_location at);
  // Zeros of [batch, size...], one for each of state_sizes(). Sizes must be known.
  virtual State zero_state(const BatchSize& batch_size, DType dtype,
                           std::source_location at = std::source_location::current());
  // zero_state for as many examples as there are inputs. Throws InvalidArgument when something is
  // missing or contradicts the inputs.
  State get_initial_state(const InitialStateOptions& options,
                          std::source_location at = std::source_location::current());

  // What networks call.
  State initial_state(const BatchSize& batch_size, DType dtype) override {
    return get_initial_state({.batch_size = batch_size, .dtype = dtype});
  }
  CellOutput step(const std::vector<Output>& inputs, const State& state) override {
    return apply(inputs, state, {}, std::source_location::current());
  }
  void build(const PartialShape&) override {}

 protected:
  CellOutput call_as_layer(const std::vector<Output>& inputs, const State& state,
                           const layers::ScopeChoice& scope, std::source_location at);
  std::vector<Output> call_all(const std::vector<Output>& inputs,
                               const layers::CallArguments& arguments) final;

 private:
  CustomGetter tracking_getter();

  std::shared_ptr<RNNCell*> self_;  // for functions that may be called after the cell is gone
  VariableScopeRef around_;         // where the cell was first called
};

// A cell whose variables are all made before its first step.
class LayerRNNCell : public RNNCell {
 public:
  LayerRNNCell(std::string class_name, RecurrenceRef recurrence, Initializer kernel_initializer,
               Initializer bias_initializer, layers::LayerOptions options);

  Sizes state_sizes() const override { return recurrence_->state_size(); }
  Sizes output_sizes() const override { return {recurrence_->output_size()}; }
  void build(const PartialShape& input) override;
  CellOutput compute(const std::vector<Output>& inputs, const State& state) override;
  CellOutput apply(const std::vector<Output>& inputs, const State& state,
                   const layers::ScopeChoice& scope,
                   std::source_location at = std::source_location::current()) override;

 protected:
  // How a variable starts that the program gives no initializer for.
  virtual Initializer start_of(CellWeight::Start start) const;

 private:
  RecurrenceRef recurrence_;
  Initializer kernel_initializer_, bias_initializer_;
  std::vector<layers::Weight> weights_;
};

}  // namespace rill::nn::rnn_cell
