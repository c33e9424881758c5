#pragma once

#include <functional>
#include <source_location>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill {

// Functions of tensors, as custom_gradient takes them apart.
using TensorsFunction = std::function<std::vector<Output>(const std::vector<Output>&)>;

// `f`, whose intermediate values are computed anew when gradients are taken, which saves memory:
// gradients() calls `f` once more.
//
//   auto block = tf::recompute_grad([](const std::vector<Output>& x) { return
//   std::vector{deep(x[0])}; }); Output y = block({x})[0];
TensorsFunction recompute_grad(TensorsFunction f);

// `f`, through which gradients pass as if it returned its arguments. Throws InvalidArgument, when
// gradients are taken, where it has another number of results than of arguments.
TensorsFunction grad_pass_through(TensorsFunction f);

}  // namespace rill
