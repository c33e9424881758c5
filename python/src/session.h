#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

namespace nb = nanobind;

// Tensor.eval and Operation.run: in `session`, or the default one where that is None.
nb::object run_in_default_session(nb::handle fetch, nb::handle feeds, nb::handle session,
                                  const char* what);

void bind_session(nb::module_& m);

}  // namespace rill::python
