#pragma once

#include "rnn_values.h"

namespace rill::python {

// A cell of Python: an object that takes structures apart and packs them (rill/_rnn.py).
class PythonCell : public nn::Cell {
 public:
  explicit PythonCell(nb::object flat) : flat_(std::move(flat)) {}

  nn::rnn_cell::Sizes state_sizes() const override {
    return cell_sizes_of(flat_.attr("state_sizes")());
  }
  nn::rnn_cell::Sizes output_sizes() const override {
    return cell_sizes_of(flat_.attr("output_sizes")());
  }
  nn::rnn_cell::State initial_state(const nn::BatchSize& batch_size, DType dtype) override {
    return tensor_list(flat_.attr("initial_state")(give(batch_size), dtype_object(dtype)));
  }
  nn::rnn_cell::CellOutput step(const std::vector<Output>& inputs,
                                const nn::rnn_cell::State& state) override {
    const nb::object result = flat_.attr("step")(give(inputs), give(state));
    return {tensor_list(result[0]), tensor_list(result[1])};
  }

 private:
  nb::object flat_;
};

}  // namespace rill::python
