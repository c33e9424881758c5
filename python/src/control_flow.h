#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// What cond, case, while_loop and their like are made of; the functions that run branches and
// bodies and pack structures are in rill/_control_flow.py.
void bind_control_flow(nanobind::module_& m);
void bind_tensor_array(nanobind::module_& m);

}  // namespace rill::python
