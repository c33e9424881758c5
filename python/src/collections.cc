#include "collections.h"

#include <google/protobuf/any.pb.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <set>

#include "call.h"
#include "errors.h"
#include "interpreter_lock.h"
#include "package.h"
#include "protos.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/saver/meta_graph.h"
#include "rill/api/train/queue_runner.h"
#include "train_inputs.h"
#include "variables.h"

namespace rill::python {
namespace {

// Names of collections are strings, or objects such as classes whose repr tells them apart.
std::string key_of(nb::handle name) {
  return PyUnicode_Check(name.ptr()) ? str_of(name) : repr_of(name);
}

void require_open(GraphObject& graph) {
  if (graph.graph->finalized())
    throw_python(PyExc_RuntimeError, "Graph is finalized and cannot be modified.");
}

void add_to_graph_collection(GraphObject& self, nb::handle name, nb::handle value) {
  require_open(self);
  collections_of(*self.graph).add(key_of(name), item_of(value));
}

void add_to_many(GraphObject& self, nb::handle names, nb::handle value) {
  if (PyUnicode_Check(names.ptr())) return add_to_graph_collection(self, names, value);
  nb::object unique = nb::module_::import_("builtins").attr("set")(names);
  for (nb::handle name : unique) add_to_graph_collection(self, name, value);
}

nb::list collection_items(GraphObject& self, nb::handle name, nb::handle scope) {
  nb::list list;
  building([&] {
    for (const CollectionItem& item :
         collections_of(*self.graph)
             .get(key_of(name), scope.is_none() ? std::string() : str_of(scope)))
      list.append(give(self, item));
  });
  return list;
}

nb::list names(GraphObject& self) {
  nb::list list;
  for (const std::string& name : collections_of(*self.graph).names()) list.append(nb::cast(name));
  return list;
}

// What get_collection_ref returns: a list whose changes are changes of the collection.
nb::object reference(nb::object self, nb::object name) {
  return package::collection_ref(self, name);
}

void replace_collection(GraphObject& self, nb::handle name, nb::handle items) {
  collections_of(*self.graph).clear(key_of(name));
  for (nb::handle item : items) collections_of(*self.graph).add(key_of(name), item_of(item));
}

// A queue runner that Python made is held by its Python object, which keeps the graph.
int visit_runners(Graph& graph, visitproc visit, void* arg) {
  std::set<std::shared_ptr<train::QueueRunner>, std::owner_less<>> seen;
  for (const std::string& name : collections_of(graph).names())
    for (const auto& runner : collections_of(graph).collected<train::QueueRunner>(name))
      if (const auto* of_python = std::get_deleter<nb::detail::py_deleter>(runner))
        if (seen.insert(runner).second) Py_VISIT(of_python->o);
  return 0;
}

}  // namespace

CollectedObject::~CollectedObject() { let_go(object); }

std::string CollectedObject::collected_name() const {
  if (!nb::hasattr(object, "name")) return {};
  nb::object name = object.attr("name");
  return PyUnicode_Check(name.ptr()) ? str_of(name) : std::string();
}

CollectionItem item_of(nb::handle value) {
  if (is_tensor(value)) return tensor_object(value).output;
  if (is_operation(value)) return &operation_object(value).node();
  if (is_variable(value))
    return std::shared_ptr<Collectable>(variable_object(value).variable.state());
  if (value.type().is(nb::type<train::QueueRunner>()))  // subclasses stay objects of the program
    return std::shared_ptr<Collectable>(nb::cast<std::shared_ptr<train::QueueRunner>>(value));
  if (nb::isinstance<CollectedItem>(value)) return nb::cast<CollectedItem&>(value).item;
  return std::shared_ptr<Collectable>(std::make_shared<CollectedObject>(nb::borrow(value)));
}

nb::object give(GraphObject& graph, const CollectionItem& item) {
  if (const auto* output = std::get_if<Output>(&item)) return wrap(graph, *output);
  if (const auto* node = std::get_if<Node*>(&item)) return wrap(graph, **node);
  if (const auto* bytes = std::get_if<std::string>(&item))  // of a meta graph: maybe no text
    return bytes_object(*bytes);
  if (const auto* number = std::get_if<std::int64_t>(&item)) return nb::cast(*number);
  if (const auto* number = std::get_if<double>(&item)) return nb::cast(*number);
  const auto& object = std::get<std::shared_ptr<Collectable>>(item);
  if (const auto* foreign = dynamic_cast<const CollectedObject*>(object.get()))
    return foreign->object;
  if (auto variable = std::dynamic_pointer_cast<VariableState>(object))
    return give(Variable(std::move(variable)));
  if (auto runner = std::dynamic_pointer_cast<train::QueueRunner>(object)) return give(runner);
  if (auto lazy = std::dynamic_pointer_cast<LazyTensor>(object)) {
    nb::object make = nb::cpp_function([lazy] {
      const InCallersPlace place({});
      return building([&] { return give(lazy->make()); });
    });
    return package::lazy_tensor(give(lazy->first()), make);
  }
  if (const auto* any = dynamic_cast<const train::AnyItem*>(object.get()))
    return message_from_bytes("google/protobuf/any.proto", "Any",
                              any->message->SerializeAsString());
  return nb::cast(CollectedItem{object});
}

int visit_collected(Graph& graph, visitproc visit, void* arg) {
  for (const std::string& name : collections_of(graph).names())
    for (const auto& object : collections_of(graph).collected<CollectedObject>(name))
      Py_VISIT(object->object.ptr());
  return visit_runners(graph, visit, arg);
}

void forget_collected(Graph& graph) {
  for (const std::string& name : collections_of(graph).names()) collections_of(graph).clear(name);
}

void bind_graph_collections(nb::class_<GraphObject>& c) {
  c.def("add_to_collection", add_to_graph_collection, nb::arg("name"), nb::arg("value").none());
  c.def("add_to_collections", add_to_many, nb::arg("names"), nb::arg("value").none());
  c.def("get_collection", collection_items, nb::arg("name"), nb::arg("scope") = nb::none());
  c.def("get_collection_ref", reference, nb::arg("name"));
  c.def("_replace_collection", replace_collection, nb::arg("name"), nb::arg("items"));
  c.def("get_all_collection_keys", names);
  c.def_prop_ro("collections", names);
  c.def(
      "clear_collection",
      [](GraphObject& self, nb::handle name) {
        require_open(self);
        collections_of(*self.graph).clear(key_of(name));
      },
      nb::arg("name"));
}

void bind_collections(nb::module_& m) {
  nb::class_<CollectedItem>(m, "CollectedItem").def_prop_ro("name", [](const CollectedItem& self) {
    return self.item->collected_name();
  });
  nb::dict keys;
  for (const auto& [name, value] : kGraphKeys) keys[name] = value;
  m.attr("graph_keys") = nb::module_::import_("types").attr("SimpleNamespace")(**keys);
}

}  // namespace rill::python
