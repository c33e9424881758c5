#pragma once

#include "rill/api/core/default_graph.h"

namespace rill {

// Building goes on outside of branches, loops and control dependencies: for variables that are made
// where they are first used.
class OutsideFlow : public ScopeChange {
 public:
  OutsideFlow() : ScopeChange(current_scope().without_control()) {}
};

// Building goes on in `scope`.
class InScope : public ScopeChange {
 public:
  explicit InScope(const Scope& scope) : ScopeChange(scope) {}
};

}  // namespace rill
