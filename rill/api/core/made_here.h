#pragma once

#include <source_location>
#include <utility>

#include "rill/api/core/default_graph.h"

namespace rill {

// What is made while this lives was asked for at `at`, unless it is said already where.
class MadeHere : public ScopeChange {
 public:
  explicit MadeHere(std::source_location at) : ScopeChange(here(at)) {}
};

// What is made while this lives is made in `inner`, a scope of the default graph.
class Inside : public ScopeChange {
 public:
  explicit Inside(Scope inner) : ScopeChange(std::move(inner)) {}
};

}  // namespace rill
