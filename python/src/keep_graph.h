#pragma once

#include "call.h"
#include "objects.h"
#include "rill/api/core/default_graph.h"

namespace rill::python {

// An object around a node keeps the node's graph, in its `__dict__` (its class has
// nb::dynamic_attr): there the garbage collector sees it, since the graph's collections may keep
// the object in turn.
inline nb::object keep_graph(nb::object object, const std::shared_ptr<Graph>& graph) {
  object.attr("__dict__")["_graph"] = wrap(graph);
  return object;
}
inline nb::object keep_graph(nb::object object, const Node& node) {
  object.attr("__dict__")["_graph"] = graph_of(node);
  return object;
}

// The same of what an `__init__` has made.
template <class T>
void keep_graph(T* made, const Node& node) {
  keep_graph(nb::object(nb::find(*made)), node);
}

}  // namespace rill::python
