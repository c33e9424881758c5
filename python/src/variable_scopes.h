#pragma once

#include "collections.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::python {

nb::object give(const AnyVariable& variable);
nb::object give(const PartitionedVariableRef& variable);
PartitionedVariableRef partitioned_of(nb::handle value);  // null when it is none

// A value, or a function of a shape and a dtype; None is none.
Initializer initializer_of(nb::handle given);
// Functions of programs; None is none.
Regularizer regularizer_of(nb::handle given);
Partitioner partitioner_of(nb::handle given);
ConstraintFunction constraint_function(nb::handle given);
Reuse reuse_of(nb::handle given);

VariableScopeRef variable_scope_of(nb::handle given);  // null when it is none
nb::object give(const VariableScopeRef& scope);
nb::object initializer_object(const Initializer& initializer);  // None for none
nb::object partitioner_object(const Partitioner& partitioner);  // a function of Python

void bind_variable_scopes(nb::module_& m);
void bind_partitioned_variables(nb::module_& m);
void bind_initializers(nb::module_& m);

}  // namespace rill::python
