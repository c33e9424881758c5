#pragma once

#include <nanobind/nanobind.h>

#include "objects.h"
#include "rill/graph/grad_ctx.h"

namespace rill::python {

bool is_slices(nb::handle value);  // an IndexedSlices
// None, a tensor, an IndexedSlices, or what becomes a tensor; raises TypeError for anything else.
Gradient gradient_of(nb::handle value);
// The operation that an operation, a tensor or the result of an assignment stands for.
Node& node_of(nb::handle value);

}  // namespace rill::python
