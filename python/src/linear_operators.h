#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

void bind_linear_operators(nanobind::module_& m);

}  // namespace rill::python
