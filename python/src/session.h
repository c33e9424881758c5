#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <vector>

#include "rill/runtime/session.h"

namespace rill::python {

namespace nb = nanobind;

// Tensor.eval and Operation.run: in `session`, or the default one where that is None.
nb::object run_in_default_session(nb::handle fetch, nb::handle feeds, nb::handle session,
                                  const char* what);

// One step of Python's Session; the interpreter's lock is free meanwhile. Raises as its run does.
std::vector<Tensor> run_step(nb::handle session, std::span<const Feed> feeds,
                             std::span<const Output> fetches, std::span<Node* const> targets);

void bind_session(nb::module_& m);

}  // namespace rill::python
