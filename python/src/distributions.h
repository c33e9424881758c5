#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

void bind_distributions(nanobind::module_& m);

}  // namespace rill::python
