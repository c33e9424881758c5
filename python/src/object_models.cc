// tf.saved_model.load_v2: SavedModels with their objects.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "call.h"
#include "class_call.h"
#include "kept.h"
#include "plain_values.h"
#include "protos.h"
#include "rill/api/saver/object_model.h"
#include "rill/api/saver/object_model_writer.h"
#include "rill/io/parse_message.h"
#include "saver.h"
#include "traced_functions.h"
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

// --- saving ------------------------------------------------------------------------------------

tensorflow::StructuredValue structure_of(nb::handle bytes) {
  tensorflow::StructuredValue value;
  const nb::bytes given(nb::borrow(bytes));
  require(parse_message(std::string(given.c_str(), given.size()), &value),
          "a signature that cannot be read");
  return value;
}

sm::FormToSave form_of(nb::handle given) {
  return {traced_function(given[0]), structure_of(given[1]), structure_of(given[2])};
}

// A dict of what is there of `children`, `identifier`, `variable`, `table`, `forms` and `spec`.
sm::ObjectToSave object_of(nb::dict given) {
  sm::ObjectToSave made;
  for (nb::handle child : given["children"])
    made.children.emplace_back(str_of(child[0]), nb::cast<int>(child[1]));
  if (given.contains("identifier")) made.identifier = str_of(given["identifier"]);
  if (given.contains("variable")) made.variable = variable_of(given["variable"]);
  if (given.contains("table"))
    made.table = std::shared_ptr<const lookup::StaticHashTable>(
        keep(given["table"]), nb::cast<lookup::StaticHashTable*>(given["table"]));
  if (!given.contains("forms")) return made;
  made.is_function = true;
  for (nb::handle form : given["forms"]) made.forms.push_back(form_of(form));
  const nb::bytes spec(nb::borrow(given["spec"]));
  require(parse_message(std::string(spec.c_str(), spec.size()), &made.spec),
          "a function's arguments that cannot be read");
  return made;
}

void save_objects(nb::handle objects, nb::handle signatures, nb::handle variables,
                  const std::string& export_dir) {
  building([&] {
    sm::ModelToSave model;
    for (nb::handle object : objects)
      model.objects.push_back(object_of(nb::borrow<nb::dict>(object)));
    for (nb::handle item : signatures)
      model.signatures[str_of(item[0])] = {traced_function(item[1]), text_list(item[2]),
                                           text_list(item[3])};
    for (nb::handle item : variables)
      model.variables.emplace_back(str_of(item[0]), variable_of(item[1]));
    sm::write_object_model(model, export_dir);
    return 0;
  });
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
  m.def("save_objects", save_objects, nb::arg("objects"), nb::arg("signatures"),
        nb::arg("variables"), nb::arg("export_dir"));
  m.def("load_objects", loaded, nb::arg("export_dir"), nb::arg("tags").none());
}

}  // namespace rill::python
