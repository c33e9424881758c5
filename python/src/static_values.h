#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// Values of tensors before anything runs, values as messages, and what the library is.
void bind_static_values(nanobind::module_& m);

}  // namespace rill::python
