#pragma once

#include <nanobind/nanobind.h>

namespace rill::queue {
class QueueBase;
}

namespace rill::python {

nanobind::object give(const queue::QueueBase& queue);

// tf.queue, accumulators, barriers, staging areas.
void bind_queues(nanobind::module_& m);
void bind_accumulators(nanobind::module_& m);
void bind_staging_area(nanobind::module_& m);

}  // namespace rill::python
