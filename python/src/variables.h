#pragma once

#include <nanobind/nanobind.h>

#include "objects.h"
#include "rill/api/variables/variable.h"

namespace rill::python {

// Python's Variable. One object for each variable, which the graph's object holds; those of eager
// execution belong to the program alone.
struct VariableObject {
  Variable variable;
  nb::object graph_object;  // keeps the graph alive

  ~VariableObject();
};

extern PyTypeObject* variable_type;
inline bool is_variable(nb::handle h) {
  return variable_type != nullptr && PyObject_TypeCheck(h.ptr(), variable_type) != 0;
}
inline VariableObject& variable_object(nb::handle h) {
  return held_object<VariableObject>(h, variable_type, "Variable");
}

nb::object give(const Variable& variable);
// The object of the eager variable with that handle; None where there is none any more.
nb::object eager_variable(const Output& handle);
inline nb::object give_or_none(const Variable& variable) {
  return variable ? give(variable) : nb::none();
}
// The result of a write: a tensor for references, the variable after the write for resources.
nb::object give_written(const Variable& variable, Output result);
Variable variable_of(nb::handle h);      // raises TypeError
Constraint constraint_of(nb::handle h);  // None or a function; raises ValueError

void bind_variables(nb::module_& m);
void bind_variable_functions(nb::module_& m);

}  // namespace rill::python
