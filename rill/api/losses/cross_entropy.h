#pragma once

#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::losses {

// Cross entropies element by element, in a block `name` of their own.

Output sigmoid_xentropy(Output labels, Output logits, const std::string& name);
// Over the last dimension.
Output softmax_xentropy(Output labels, Output logits, const std::string& name);
// Labels are numbers of classes. Throws InvalidArgument when the shapes do not fit.
Output sparse_xentropy(Output labels, Output logits, const std::string& name);

}  // namespace rill::losses
