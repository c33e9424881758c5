#pragma once

#include <nanobind/nanobind.h>

#include "objects.h"

namespace rill::python {

// What the functions of raw_ops return for a node: the operation when it has no outputs, one
// tensor, a list, or a named tuple of these.
nb::object op_result(Node& node);

void bind_raw_ops(nb::module_& m);

}  // namespace rill::python
