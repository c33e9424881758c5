#pragma once

#include <cstddef>

namespace rill {

// The arithmetic of recurrent cells for one row of a batch: `size` cells side by side.

// Where the candidate and the forget gate stand among the four blocks of gates. The input gate is
// first and the output gate last.
struct GateOrder {
  int candidate, forget;
};

// Weights from the state to the gates; all nullptr without peepholes.
struct Peepholes {
  const float *input = nullptr, *forget = nullptr, *output = nullptr;
};

struct LstmRow {
  std::size_t size;
  GateOrder order;
  Peepholes peepholes;
  float forget_bias, clip;              // no clipping unless positive
  const float *from_x, *from_h, *bias;  // four blocks each; the gates are their sum
  const float* state_before;
  float *input, *state, *forget, *output, *candidate, *squashed, *h;
};

// A cell of which only the next state is wanted, and what gradients ask for if they do. The gates
// stand as one product left them: input, candidate, forget, output.
struct LstmCellRow {
  std::size_t size;
  float forget_bias;
  Peepholes peepholes;
  const float *gates, *bias, *state_before;
  float *h, *state;
  // All nullptr where nobody asks.
  float *input = nullptr, *candidate = nullptr, *forget = nullptr, *output = nullptr;
  float* squashed = nullptr;
};

struct LstmGradRow {
  std::size_t size;
  GateOrder order;
  Peepholes peepholes;
  const float *state_before, *input, *state, *forget, *output, *candidate, *squashed;
  const float *state_grad, *h_grad;  // from outside
  // From the step behind; the first is replaced by the gradient of the state before. May be zeros.
  float* carried_state;
  const float* carried_h;
  float* gates;  // four blocks: gradients of the gates before they were squashed
};

// The gradients of an LstmCellRow, from what it gave out.
struct LstmCellGradRow {
  std::size_t size;
  Peepholes peepholes;
  const float *state_before, *input, *candidate, *forget, *output, *squashed;
  const float *h_grad, *state_grad;  // the latter nullptr where nothing came back
  float *gates, *state_before_grad;  // of the gates before they were squashed: four blocks
};

// Sums over rows of what the gradients of the peepholes are.
struct PeepholeSums {
  float *input, *forget, *output;
};

struct GruRow {
  std::size_t size;
  const float *from_x, *from_h, *bias;  // two blocks: reset and update
  const float* h_before;
  float *reset, *update, *reset_h;  // the last is h_before times reset
};
struct GruOutRow {
  std::size_t size;
  const float *from_x, *from_h, *bias, *update, *h_before;
  float *candidate, *h;
};
// The same for a cell of which only the next state is wanted; a product left the gates.
struct GruGatesRow {
  std::size_t size;
  const float *gates, *bias;  // two blocks: reset and update
  const float* h_before;
  float *update, *reset_h;
  float* reset = nullptr;  // where somebody asks; may be `gates`, and `update` its second block
};
struct GruStateRow {
  std::size_t size;
  const float *candidate, *bias, *update, *h_before;
  float* h;
  float* squashed = nullptr;  // where somebody asks; may be `candidate`
};
struct GruGradRow {
  std::size_t size;
  const float *h_before, *reset, *update, *candidate, *h_grad;
  const float* reset_h_grad;  // used by reset_back
  float* candidate_bar;       // made by candidate_back
  float* reset_update_bar;    // two blocks: made by candidate_back (update) and reset_back (reset)
  float* h_before_grad;       // made by reset_back
};

struct RecurrentRows {
  void (*lstm)(const LstmRow& row);
  void (*lstm_cell)(const LstmCellRow& row);
  void (*lstm_back)(const LstmGradRow& row);
  void (*lstm_cell_back)(const LstmCellGradRow& row);
  void (*peepholes_back)(const LstmGradRow& row, const PeepholeSums& sums);
  void (*gru_gates)(const GruRow& row);
  void (*gru_out)(const GruOutRow& row);
  void (*gru_cell_gates)(const GruGatesRow& row);
  void (*gru_cell_state)(const GruStateRow& row);
  void (*gru_candidate_back)(const GruGradRow& row);
  void (*gru_reset_back)(const GruGradRow& row);
  void (*add)(float* sum, const float* x, std::size_t n);
  void (*tanh_sum)(float* out, const float* x, const float* y, std::size_t n);
  void (*relu_sum)(float* out, const float* x, const float* y, std::size_t n);
};
const RecurrentRows& recurrent_rows();

}  // namespace rill
