#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// hessians, jacobians, and what tf.custom_gradient is made of (rill/_custom_gradient.py).
void bind_gradient_tools(nanobind::module_& m);

}  // namespace rill::python
