#pragma once

#include "rill/graph/op.h"

namespace tensorflow {
class OpDef;
}

namespace rill {

// Replaces what `proto` holds. The first line of the doc becomes the summary.
void to_proto(const Op& op, tensorflow::OpDef* proto);

// Shapes of the op's outputs are unknown. Throws InvalidArgument when the definition contradicts
// itself.
Op from_proto(const tensorflow::OpDef& proto);

}  // namespace rill
