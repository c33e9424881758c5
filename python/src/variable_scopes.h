#pragma once

#include "collections.h"
#include "rill/api/variables/get_variable.h"

namespace rill::python {

nb::object give(const AnyVariable& variable);
nb::object give(const PartitionedVariableRef& variable);

// A value, or a function of a shape and a dtype; None is none.
Initializer initializer_of(nb::handle given);
nb::object partitioner_object(const Partitioner& partitioner);  // a function of Python

void bind_variable_scopes(nb::module_& m);
void bind_partitioned_variables(nb::module_& m);
void bind_initializers(nb::module_& m);

}  // namespace rill::python
