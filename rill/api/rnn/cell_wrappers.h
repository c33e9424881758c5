#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rill/api/rnn/cell_dropout.h"
#include "rill/api/rnn/rnn_cell.h"

namespace rill::nn::rnn_cell {

// A cell around another one, which has the variables and the names.
class CellWrapper : public RNNCell {
 public:
  Sizes state_sizes() const override { return cell_->state_sizes(); }
  Sizes output_sizes() const override { return cell_->output_sizes(); }
  State zero_state(const BatchSize& batch_size, DType dtype,
                   std::source_location at = std::source_location::current()) override;
  CellOutput compute(const std::vector<Output>& inputs, const State& state) override {
    return apply(inputs, state, {}, std::source_location::current());
  }
  const std::shared_ptr<RNNCell>& wrapped_cell() const { return cell_; }

 protected:
  // Throws InvalidArgument without a cell.
  CellWrapper(std::string class_name, std::shared_ptr<RNNCell> cell, DType dtype = DType::invalid);
  const std::shared_ptr<RNNCell> cell_;
};

using DropoutWrapperOptions = DropoutForm;
// Drops elements of inputs, outputs and states; what is kept is divided by the probability of
// keeping. For training only: make another cell, sharing the variables, to evaluate.
//
//   auto cell = std::make_shared<DropoutWrapper>(lstm, DropoutForm{.output_keep_prob = 0.8});
class DropoutWrapper : public CellWrapper {
 public:
  // Throws InvalidArgument as CellDropout does, and where dropped_states has another length than
  // the cell's state.
  explicit DropoutWrapper(std::shared_ptr<RNNCell> cell, const DropoutWrapperOptions& options = {});
  CellOutput apply(const std::vector<Output>& inputs, const State& state,
                   const layers::ScopeChoice& scope,
                   std::source_location at = std::source_location::current()) override;

 private:
  CellDropout dropout_;
  std::vector<bool> dropped_states_;
};

// Adds the inputs to the outputs, or combines them by `residual_fn`. Without one, shapes that
// cannot be equal throw InvalidArgument.
class ResidualWrapper : public CellWrapper {
 public:
  using Combine = std::function<std::vector<Output>(const std::vector<Output>& inputs,
                                                    const std::vector<Output>& outputs)>;
  explicit ResidualWrapper(std::shared_ptr<RNNCell> cell, Combine residual_fn = {});
  CellOutput apply(const std::vector<Output>& inputs, const State& state,
                   const layers::ScopeChoice& scope,
                   std::source_location at = std::source_location::current()) override;

 private:
  Combine residual_fn_;
};

// Runs a cell on a device: its nodes and its zero state are placed there.
class DeviceWrapper : public CellWrapper {
 public:
  DeviceWrapper(std::shared_ptr<RNNCell> cell, std::string device);
  State zero_state(const BatchSize& batch_size, DType dtype,
                   std::source_location at = std::source_location::current()) override;
  CellOutput apply(const std::vector<Output>& inputs, const State& state,
                   const layers::ScopeChoice& scope,
                   std::source_location at = std::source_location::current()) override;

 private:
  std::string device_;
};

}  // namespace rill::nn::rnn_cell
