#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

void bind_gradients(nanobind::module_& m);

}  // namespace rill::python
