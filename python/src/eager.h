#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// Tensors that have a value.
void bind_eager(nanobind::module_& m);

}  // namespace rill::python
