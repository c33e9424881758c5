#pragma once

#include "rill/graph/op_decl.h"

namespace rill {

// Gradients of the nodes that branches and loops are made of: Switch and Merge undo each other, and
// so do Enter and Exit; a loop's gradient is a loop that runs backwards.
void switch_grad(GradCtx& g);
void merge_grad(GradCtx& g);
void enter_grad(GradCtx& g);
void exit_grad(GradCtx& g);
void next_iteration_grad(GradCtx& g);
void loop_cond_grad(GradCtx& g);  // none, but the walk may come by

}  // namespace rill
