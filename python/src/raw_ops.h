#pragma once

#include <nanobind/nanobind.h>

#include "objects.h"

namespace rill::python {

// What the functions of raw_ops return for a node: the operation when it has no outputs, one
// tensor, a list, or a named tuple `type` of these.
nb::object op_result(GraphObject& graph, Node& node, nb::handle type);

void bind_raw_ops(nb::module_& m);

}  // namespace rill::python
