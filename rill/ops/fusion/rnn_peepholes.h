#pragma once

#include "rill/base/function_ref.h"
#include "rill/ops/fusion/rnn_pushed.h"

namespace rill {

// Where the gradient of a gate that sees the state through a peephole goes besides the gate's
// product: to the state that it saw, and to the peephole's weights, summed over rows.
struct PeepholeGrad {
  int to_state = -1, to_weights = -1;  // items; -1: not wanted
  Edge weights, state;                 // as they are read there
  std::vector<int> members;

  // From the gradient of the gate before it was squashed. `weights` and `state` are those of the
  // cell; is_shape(edge): whether it is a shape that values of the cell have.
  bool find(const Pattern& p, const Users& users, const Pushed& pushed, Edge gate_grad,
            Edge cell_weights, Edge cell_state, FunctionRef<bool(Edge)> is_shape);
};

}  // namespace rill
