#pragma once

#include "rill/graph/op_decl.h"

namespace rill {

// The declaration of an op that is registered a second time, as it was called while it was
// experimental.
constexpr OpDecl experimental_twin(OpDecl op, const char* name) {
  op.name = name;
  return op;
}

}  // namespace rill
