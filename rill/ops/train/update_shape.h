#pragma once

#include "rill/graph/shape_ctx.h"

namespace rill {

// The role of each argument of an optimizer's update op.
struct UpdateArgs {
  int states = 0;  // the variable and its slots: the arguments before these
  int grad = -1;
  int indices = -1;  // -1: the step is taken on every row
  std::vector<int> scalars;
};
UpdateArgs update_args(const Op& op);

// The attribute that changes what an update computes (use_nesterov, update_slots): the one of kind
// bool beside use_locking. Empty where there is none.
std::string_view update_flag(const Op& op);

// The shape function of all of them: slots and gradients have the variable's shape, or rows of it.
Shapes update_shape(const ShapeCtx& c);

}  // namespace rill
