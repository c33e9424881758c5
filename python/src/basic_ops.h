#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

void bind_basic_ops(nanobind::module_& m);

}  // namespace rill::python
