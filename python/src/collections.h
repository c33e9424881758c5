#pragma once

#include <nanobind/nanobind.h>

#include "objects.h"
#include "rill/api/core/collections.h"

namespace rill::python {

// An object of a program in a collection.
struct CollectedObject : Collectable {
  explicit CollectedObject(nb::object o) : object(std::move(o)) {}
  ~CollectedObject() override;
  std::string collected_name() const override;
  nb::object object;
};

// An item of C++ that programs only pass on, such as what a Saver saves of a table.
struct CollectedItem {
  std::shared_ptr<Collectable> item;
};

CollectionItem item_of(nb::handle value);
nb::object give(GraphObject& graph, const CollectionItem& item);

// For the garbage collector: the objects of programs that the graph's collections hold.
int visit_collected(Graph& graph, visitproc visit, void* arg);
void forget_collected(Graph& graph);

void bind_graph_collections(nb::class_<GraphObject>& c);
void bind_collections(nb::module_& m);

}  // namespace rill::python
