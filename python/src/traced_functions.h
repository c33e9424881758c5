#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// What tf.function is made of: traces, concrete functions, and the signatures that find them.
void bind_traced_functions(nanobind::module_& m);

}  // namespace rill::python
