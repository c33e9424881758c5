#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// tf.queue, accumulators, barriers, staging areas.
void bind_queues(nanobind::module_& m);
void bind_accumulators(nanobind::module_& m);
void bind_staging_area(nanobind::module_& m);

}  // namespace rill::python
