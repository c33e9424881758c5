#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

void bind_debugger(nanobind::module_& m);  // tfdbg: rill/inspect/debugger

}  // namespace rill::python
