#pragma once

#include <optional>

#include "rill/graph/graph.h"

namespace rill {

// The value of a tensor where TensorFlow's programs can tell it while the graph is built: of
// constants, shapes of known tensors, and Cast, Concat, Equal, Fill, NotEqual, Pack, Range, Rank
// and Size of such. Others are not looked into, though more could be known: what programs build
// depends on the answer, so node names would change with it.
std::optional<Tensor> static_value(Output tensor);

}  // namespace rill
