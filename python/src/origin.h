#pragma once

#include <nanobind/nanobind.h>

#include "rill/graph/node.h"

namespace rill::python {

// The Python stack of this moment without the package's own frames; innermost first.
OriginRef capture_origin();

void bind_origin(nanobind::module_& m);

}  // namespace rill::python
