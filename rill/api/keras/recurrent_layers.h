#pragma once

#include "rill/api/keras/keras_layer.h"

namespace rill::keras::layers {

using rill::layers::CallArguments;
using rill::layers::LayerOptions;
using rill::layers::Weight;

// One step of a recurrent layer: called with an input and states, it makes an output and states.
// Kernels are [values, gates * units] and [units, gates * units]. The number of values must be
// known, else InvalidArgument.
class Cell : public KerasLayer {
 public:
  using KerasLayer::KerasLayer;
  std::vector<Output> call_all(const std::vector<Output>& inputs,
                               const CallArguments& arguments) override;
  virtual std::vector<std::int64_t> state_sizes() const { return {s.units}; }
  void reset_masks() { input_mask_ = state_mask_ = {}; }  // of dropout: the same for all steps

  Weight kernel, recurrent_kernel, bias;

 protected:
  virtual backend::StepResult step(Output x, const std::vector<Output>& states) = 0;
  void add_weights(const PartialShape& input, std::int64_t gates, const PartialShape& bias_shape,
                   const Initializer& bias_initializer);
  Output activated(Output x) const;
  Output gated(Output x) const;  // by the recurrent activation
  // The columns of one gate of many.
  Output gate(Output x, std::int64_t index) const;
  // What is known is kept at first: ones for the second of four gates.
  Initializer forgetting(std::int64_t size) const;

 private:
  Output masked(Output x, double rate, Output& mask, const CallArguments& arguments);
  Output input_mask_, state_mask_;
};
// h' = activation(x W + h U + b).
class SimpleRNNCell : public Cell {
 public:
  using Cell::Cell;
  void build_all(const std::vector<PartialShape>& inputs) override;

 protected:
  backend::StepResult step(Output x, const std::vector<Output>& states) override;
};
// z, r = gates; h' = z h + (1 - z) candidate. [reset_after] says whether r applies after the
// product with the recurrent kernel, as cuDNN's, or before it.
class GRUCell : public Cell {
 public:
  using Cell::Cell;
  void build_all(const std::vector<PartialShape>& inputs) override;

 protected:
  backend::StepResult step(Output x, const std::vector<Output>& states) override;
};
// Gates i, f, candidate, o in this order; c' = f c + i candidate, h' = o activation(c'). States are
// h, c.
class LSTMCell : public Cell {
 public:
  using Cell::Cell;
  void build_all(const std::vector<PartialShape>& inputs) override;
  std::vector<std::int64_t> state_sizes() const override { return {s.units, s.units}; }

 protected:
  backend::StepResult step(Output x, const std::vector<Output>& states) override;
};

// LSTM of images: convolutions in place of products.
class ConvLSTM2DCell : public Cell {
 public:
  using Cell::Cell;
  void build_all(const std::vector<PartialShape>& inputs) override;
  std::vector<std::int64_t> state_sizes() const override { return {s.filters, s.filters}; }

 protected:
  backend::StepResult step(Output x, const std::vector<Output>& states) override;
};

struct RecurrentOptions {
  bool return_sequences = false, return_state = false, go_backwards = false, unroll = false;
};

// A cell stepping through the second dimension of its input, (examples, steps, values). Initial
// states are zeros, or CallArguments::more. Outputs: the last one or, with return_sequences, all;
// with return_state the states follow. Masked steps leave states and repeat the output before.
class Recurrent : public KerasLayer {
 public:
  Recurrent(std::string class_name, LayerOptions options, std::shared_ptr<Cell> cell,
            const RecurrentOptions& recurrent);
  void build_all(const std::vector<PartialShape>& inputs) override;
  std::vector<Output> call_all(const std::vector<Output>& inputs,
                               const CallArguments& arguments) override;
  std::vector<Output> compute_masks(const std::vector<Output>& inputs,
                                    const std::vector<Output>& masks) override;

  const std::shared_ptr<Cell>& cell() const { return cell_; }
  RecurrentOptions options;

 private:
  std::shared_ptr<Cell> cell_;
};

// A layer applied to each step, and one that also steps backwards.
class TimeDistributedLayer : public KerasLayer {
 public:
  TimeDistributedLayer(LayerOptions options, std::shared_ptr<rill::layers::Layer> layer);
  Output call(Output x, const CallArguments& arguments) override;

 private:
  std::shared_ptr<rill::layers::Layer> layer_;
};
class Bidirectional : public KerasLayer {
 public:
  // Of two recurrent layers of which the second goes backwards. `merge_mode` is "concat", "sum",
  // "mul" or "ave".
  Bidirectional(LayerOptions options, std::shared_ptr<Recurrent> forward,
                std::shared_ptr<Recurrent> backward, std::string merge_mode = "concat");
  Output call(Output x, const CallArguments& arguments) override;

 private:
  std::shared_ptr<Recurrent> forward_, backward_;
  std::string merge_mode_;
};

}  // namespace rill::keras::layers
