#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

namespace nb = nanobind;

void bind_device_spec(nb::module_& m);

}  // namespace rill::python
