#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "objects.h"
#include "rill/graph/scope.h"

namespace rill::python {

// A `with` block in which nodes of `graph` are made in change(scope); `result` is what `as` binds.
nb::object scope_context(nb::object graph, std::function<Scope(const Scope&)> change,
                         std::function<nb::object(const Scope&)> result);

void bind_graph_scopes(nb::class_<GraphObject>& c);

}  // namespace rill::python
