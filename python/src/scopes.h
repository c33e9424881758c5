#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "objects.h"
#include "rill/api/variables/device_choice.h"
#include "rill/graph/scope.h"

namespace rill::python {

// A `with` block in which nodes of `graph` are made in change(scope); `result` is what `as` binds.
nb::object scope_context(nb::object graph, std::function<Scope(const Scope&)> change,
                         std::function<nb::object(const Scope&)> result);

// A device as a program gives it: a string, a DeviceSpec, or a function of an operation.
DeviceChoice device_choice_of(nb::handle given);
// As it was given; None where there is none.
nb::object device_object(const std::optional<DeviceChoice>& device);

void bind_graph_scopes(nb::class_<GraphObject>& c);

}  // namespace rill::python
