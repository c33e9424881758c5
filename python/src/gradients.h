#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "objects.h"
#include "rill/grad/gradients.h"

namespace rill::python {

Aggregation as_aggregation(nanobind::handle method);  // None or a constant of AggregationMethod
// Runs `build`, which differentiates in `graph` and may meet gradients that are written in Python.
// Raises LookupError where an op has none.
void differentiating(GraphObject& graph, const std::function<void()>& build);

void bind_gradients(nanobind::module_& m);

}  // namespace rill::python
