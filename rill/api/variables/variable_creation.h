#pragma once

#include "rill/api/core/scope_changes.h"
#include "rill/api/variables/variable.h"

namespace rill {

// What creating variables is made of.

// What is made goes where a variable that is not made yet will go.
class BesideFuture : public ScopeChange {
 public:
  explicit BesideFuture(const std::string& variable);
};

// Fill in handle, initial value, initializer and reads.
void create_ref_variable(VariableState& state, const InitialValue& initial_value,
                         const VariableOptions& options, std::source_location at);
void create_resource_variable(VariableState& state, const InitialValue& initial_value,
                              const VariableOptions& options, std::source_location at);

// `initial_value` computed from the initialised values of the variables that it reads, so that the
// order of initialisation does not matter: nodes in between are made anew, under names that end
// with `name`.
Output safe_initial_value(std::string_view name, Output initial_value);

}  // namespace rill
