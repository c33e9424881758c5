#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "rill/tensor/shape.h"

namespace rill::queue {
class QueueBase;
}

namespace rill::python {

nanobind::object give(const queue::QueueBase& queue);

// tf.queue, accumulators, barriers, staging areas.
void bind_queues(nanobind::module_& m);
void bind_accumulators(nanobind::module_& m);
void bind_staging_area(nanobind::module_& m);

// The shapes of the components of a queue or barrier; a list of numbers is the shape of the only
// one.
std::vector<PartialShape> component_shapes(nanobind::handle shapes);

}  // namespace rill::python
