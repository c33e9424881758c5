#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// Tensors that have a value: those of a function that is recorded while it runs.
void bind_eager(nanobind::module_& m);

}  // namespace rill::python
