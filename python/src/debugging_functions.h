#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// tf.debugging: checks.
void bind_debugging(nanobind::module_& m);

}  // namespace rill::python
