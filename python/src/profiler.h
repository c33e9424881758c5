#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

void bind_profiled_model(nanobind::module_& m);  // tf.profiler: rill/api/profiler

}  // namespace rill::python
