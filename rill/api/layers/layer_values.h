#pragma once

#include <vector>

#include "rill/api/layers/layer.h"
#include "rill/runtime/session/session.h"

namespace rill::layers {

// The values of a layer's variables in a session, in the order of weights(). FailedPrecondition
// where one is not initialized.
std::vector<Tensor> get_weights(const Layer& layer, Session& session);
// Throws InvalidArgument when there are more or fewer values than variables, or their shapes do not
// fit; nothing is written then. Adds nodes to the graph at the first use of each variable.
void set_weights(const Layer& layer, Session& session, const std::vector<Tensor>& values);

}  // namespace rill::layers
