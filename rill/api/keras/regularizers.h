#pragma once

#include <functional>

#include "rill/api/variables/get_variable.h"

namespace rill::keras {

// A loss that large weights or outputs cost; for layers' options of either kind.
//
//   layers::Dense(8, {.kernel_regularizer = regularizers::l2(1e-4)});
struct Penalty {
  std::function<Output(Output)> of = {};
  operator Regularizer() const;
};

// What a regularizer of variables makes of a penalty.
struct PenaltyOfVariable {
  std::function<Output(Output)> of = {};
  Output operator()(const AnyVariable& variable) const;
};

namespace regularizers {

// l1 * sum(|x|) + l2 * sum(x * x), without tf.nn.l2_loss's half.
Penalty l1_l2(double l1 = 0.01, double l2 = 0.01);
inline Penalty l1(double l = 0.01) { return l1_l2(l, 0); }
inline Penalty l2(double l = 0.01) { return l1_l2(0, l); }

}  // namespace regularizers
}  // namespace rill::keras
