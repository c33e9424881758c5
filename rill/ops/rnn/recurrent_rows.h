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
  void (*lstm_back)(const LstmGradRow& row);
  void (*peepholes_back)(const LstmGradRow& row, const PeepholeSums& sums);
  void (*gru_gates)(const GruRow& row);
  void (*gru_out)(const GruOutRow& row);
  void (*gru_candidate_back)(const GruGradRow& row);
  void (*gru_reset_back)(const GruGradRow& row);
  void (*add)(float* sum, const float* x, std::size_t n);
};
const RecurrentRows& recurrent_rows();

}  // namespace rill
