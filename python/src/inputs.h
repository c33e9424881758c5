#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "objects.h"
#include "rill/api/core/default_graph.h"
#include "rill/graph/scope.h"

namespace rill::python {

// An argument of an op: tensors as they are, other Python values as constants once the wanted type
// is known. Raises TypeError when a list is wanted and not given.
InputArg input_arg(const Op& op, const Arg& arg, nb::handle value);

// A single value; becomes `dtype` whatever the op would have chosen, unless that is invalid.
Input input_of(nb::handle value, DType dtype, std::string_view op_name, std::string_view arg_name);

// A single value, which keeps its own type; optional_input: none for None.
inline Input any_input(nb::handle value, std::string_view name) {
  return input_of(value, DType::invalid, "", name);
}
inline OptionalInput optional_input(nb::handle value, std::string_view name) {
  if (value.is_none()) return std::nullopt;
  return any_input(value, name);
}
// The same as a tensor: a constant where it is not one already.
inline Output converted_tensor(nb::handle value, std::string_view name = "value") {
  return as_tensor(any_input(value, name));
}

// What stands beside a tensor: takes the type that is wanted where it can, else its own.
Input operand_of(nb::handle value, std::string_view arg_name);

// Whether a function that the program registered converts the value.
bool has_conversion(nb::handle value);

void bind_inputs(nb::module_& m);

}  // namespace rill::python
