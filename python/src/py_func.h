#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

void bind_py_func(nanobind::module_& m);

}  // namespace rill::python
