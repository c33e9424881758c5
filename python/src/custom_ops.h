#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

void bind_custom_ops(nanobind::module_& m);

}  // namespace rill::python
