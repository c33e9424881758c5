// tf.saved_model.load_v2: SavedModels with their objects.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "call.h"
#include "class_call.h"
#include "protos.h"
#include "rill/api/saver/object_model.h"
#include "saver.h"
#include "variables.h"

namespace rill::python {
namespace {

namespace sm = rill::saved_model;

struct ConcreteFunctionObject {
  sm::ConcreteFunction function;
  nb::object graph;  // of what it captures
};

nb::object described(const sm::ModelObject& object) {
  constexpr const char* kKinds[] = {"object",    "variable", "function",
                                    "signature", "tensor",   "resource"};
  nb::list children, functions;
  for (const auto& [name, number] : object.children) children.append(nb::make_tuple(name, number));
  for (const std::string& name : object.functions) functions.append(name);
  nb::dict parts;
  parts["kind"] = kKinds[static_cast<int>(object.kind)];
  parts["children"] = children;
  parts["identifier"] = object.identifier;
  parts["functions"] = functions;
  parts["spec"] = bytes_of(object.spec);
  parts["variable"] = object.variable ? give(object.variable) : nb::none();
  parts["tensor"] = object.tensor.node != nullptr ? give(object.tensor) : nb::none();
  return parts;
}

nb::object loaded(const std::string& export_dir, nb::handle tags) {
  const InCallersPlace place({});
  std::set<std::string> wanted;
  if (!tags.is_none())
    for (nb::handle tag : tags) wanted.insert(str_of(tag));
  const sm::ObjectModel model = building([&] { return sm::load_v2(export_dir, wanted); });
  nb::list objects;
  for (const sm::ModelObject& object : model.objects) objects.append(described(object));
  nb::dict functions;
  const nb::object graph = wrap(default_graph());
  for (const auto& [name, function] : model.functions)
    functions[name.c_str()] = nb::cast(ConcreteFunctionObject{function, graph});
  return nb::make_tuple(objects, functions);
}

}  // namespace

void bind_object_models(nb::module_& m) {
  nb::class_<ConcreteFunctionObject> c(m, "SavedFunctionCore");
  c.def_prop_ro("name", [](ConcreteFunctionObject& o) { return o.function.name; });
  c.def_prop_ro("keywords", [](ConcreteFunctionObject& o) { return o.function.keywords; });
  c.def_prop_ro("input_signature",
                [](ConcreteFunctionObject& o) { return bytes_of(o.function.input_signature); });
  c.def_prop_ro("output_signature",
                [](ConcreteFunctionObject& o) { return bytes_of(o.function.output_signature); });
  c.def_prop_ro("captures", [](ConcreteFunctionObject& o) { return give(o.function.captures); });
  c.def("call", [](ConcreteFunctionObject& o, nb::handle inputs) {
    const AsDefault graph(graph_object(o.graph).graph);
    const InCallersPlace place({});
    return building([&] { return give(o.function(input_list(inputs, "args"))); });
  });
  m.def("load_objects", loaded, nb::arg("export_dir"), nb::arg("tags").none());
}

}  // namespace rill::python
