#pragma once

#include "rill/graph/op.h"
#include "tensorflow/core/lib/core/status.h"

namespace tensorflow {

// Where the inputs (or outputs) that the argument `name` stands for begin and end.
Status range_of(const std::vector<rill::Arg>& args, const rill::AttrMap& attrs, StringPiece name,
                int* begin, int* end);
// The same for an argument that is not a list.
Status place_of(const std::vector<rill::Arg>& args, const rill::AttrMap& attrs, StringPiece name,
                int* place);

}  // namespace tensorflow
