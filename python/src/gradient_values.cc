#include "gradient_values.h"

#include "errors.h"
#include "inputs.h"
#include "package.h"
#include "rill/api/core/default_graph.h"
#include "variables.h"

namespace rill::python {
namespace {

Output tensor_part(nb::handle value) {
  if (value.is_none()) return {};
  if (is_tensor(value)) return tensor_object(value).output;
  return as_tensor(input_of(value, DType::invalid, "", "value"));
}

}  // namespace

bool is_slices(nb::handle value) { return nb::isinstance(value, package::indexed_slices.get()); }

Gradient gradient_of(nb::handle value) {
  if (value.is_none()) return {};
  if (is_tensor(value)) return tensor_object(value).output;
  if (is_slices(value))
    return IndexedSlices{tensor_part(value.attr("values")), tensor_part(value.attr("indices")),
                         tensor_part(value.attr("dense_shape"))};
  try {
    return tensor_part(value);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    type_error("Gradient must be convertible to a Tensor or IndexedSlices, or None: ",
               repr_of(value));
  }
}

Node& node_of(nb::handle value) {
  if (is_operation(value)) return operation_object(value).node();
  if (is_tensor(value)) return tensor_object(value).node();
  if (nb::hasattr(value, "op")) {
    const nb::object op = value.attr("op");
    if (is_operation(op)) return operation_object(op).node();
  }
  type_error("Expected an Operation or a Tensor, got ", repr_of(value));
}

}  // namespace rill::python
