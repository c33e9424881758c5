#pragma once

#include <span>
#include <vector>

#include "rill/graph/grad_ctx.h"

namespace rill {

// The gradient of a choice among `branches` that keeps what the branch which was taken has
// computed: the node is replaced by one that also gives that. `named` gives the attributes that
// name branches.
void kept_choice_gradient(GradCtx& g, std::span<const FuncName> branches,
                          AttrMap (*named)(const std::vector<FuncName>& branches));

}  // namespace rill
