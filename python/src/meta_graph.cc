// Meta graphs: export, import, and what collections hold in them.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "collections.h"
#include "kept.h"
#include "origin.h"
#include "plain_values.h"
#include "protos.h"
#include "rill/api/saver/meta_graph.h"
#include "saver.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "variables.h"

namespace rill::python {
namespace {

nb::object export_meta_graph(const nb::dict& given) {
  const auto text = [&](const char* name) { return text_or_empty(given[name]); };
  const auto flag = [&](const char* name) { return truth_of(given[name]); };
  const auto has = [&](const char* name) { return !nb::object(given[name]).is_none(); };
  train::ExportMetaGraphOptions options{.filename = text("filename"),
                                        .as_text = flag("as_text"),
                                        .export_scope = text("export_scope"),
                                        .clear_devices = flag("clear_devices"),
                                        .clear_extraneous_savers = flag("clear_extraneous_savers"),
                                        .strip_default_attrs = flag("strip_default_attrs"),
                                        .unbound_inputs_col_name = text("unbound_inputs_col_name")};
  if (has("meta_info_def"))
    options.meta_info_def =
        read_message<tensorflow::MetaGraphDef::MetaInfoDef>(given["meta_info_def"]);
  if (has("graph_def")) options.graph_def = read_message<tensorflow::GraphDef>(given["graph_def"]);
  if (has("saver_def")) options.saver_def = read_message<tensorflow::SaverDef>(given["saver_def"]);
  if (has("collection_list"))
    options.collection_list = nb::cast<std::vector<std::string>>(given["collection_list"]);
  if (has("graph")) options.graph = graph_object(nb::object(given["graph"])).graph.get();
  const auto def = building([&] { return train::export_meta_graph(options); });
  return message_from_bytes(kMetaGraphPath, "MetaGraphDef", def.SerializeAsString());
}

nb::object import_graph(nb::handle message, const nb::dict& given) {
  const InCallersPlace place({});
  train::ImportMetaGraphOptions options{
      .clear_devices = truth_of(given["clear_devices"]),
      .import_scope = text_or_empty(given["import_scope"]),
      .unbound_inputs_col_name = text_or_empty(given["unbound_inputs_col_name"])};
  if (const nb::object map = given["input_map"]; !map.is_none())
    for (const auto& [name, value] : nb::cast<nb::dict>(map))
      options.input_map[str_of(name)] =
          as_tensor(input_of(value, DType::invalid, "import", "input_map"));
  if (const nb::object wanted = given["restore_collections_predicate"]; !wanted.is_none())
    options.restore_collections = [wanted](const std::string& key) {
      return truth_of(wanted(key));
    };
  if (const nb::object names = given["return_elements"]; !names.is_none())
    options.return_elements = nb::cast<std::vector<std::string>>(names);
  return building([&] {
    const auto imported =
        train::import_meta_graph(read_message<tensorflow::MetaGraphDef>(message), options);
    nb::dict variables;
    for (const auto& [name, variable] : imported.variables)
      variables[name.c_str()] = give(variable);
    nb::list returned;
    for (const Output& output : imported.returned)
      returned.append(output.index < 0 ? give(*output.node) : give(output));
    nb::object saver = nb::none();
    if (imported.saver_def)
      saver = message_from_bytes(kSaverPath, "SaverDef", imported.saver_def->SerializeAsString());
    return nb::make_tuple(variables, returned, saver);
  });
}

// Objects of programs in collections: by functions that a program registers, else as plain values.
void register_proto(const std::string& collection, nb::handle message_class, nb::handle to_proto,
                    nb::handle from_proto) {
  const auto message = keep(message_class), to = keep(to_proto), from = keep(from_proto);
  train::register_collection_proto(
      collection,
      {.write = [to](const Collectable& object,
                     std::string_view scope) -> std::optional<std::string> {
         const auto* held = dynamic_cast<const CollectedObject*>(&object);
         if (held == nullptr) return std::nullopt;
         const nb::object proto =
             kept(to)(held->object, nb::arg("export_scope") = std::string(scope));
         if (proto.is_none()) return std::nullopt;
         return bytes_of_message(proto);
       },
       .read = [message, from](const std::string& bytes, std::string_view scope) -> CollectionItem {
         nb::object proto = kept(message)();
         proto.attr("ParseFromString")(bytes_object(bytes));
         return item_of(kept(from)(proto, nb::arg("import_scope") = std::string(scope)));
       }});
}

std::optional<CollectionItem> collection_value(const Collectable& object) {
  const auto* held = dynamic_cast<const CollectedObject*>(&object);
  if (held == nullptr) return std::nullopt;
  const nb::handle value = held->object;
  if (PyLong_Check(value.ptr())) return integer_of(value);
  if (PyFloat_Check(value.ptr())) return number_of(value);
  if (PyUnicode_Check(value.ptr())) return str_of(value);
  if (PyBytes_Check(value.ptr())) {
    const nb::bytes bytes = nb::borrow<nb::bytes>(value);
    return std::string(bytes.c_str(), bytes.size());
  }
  return std::nullopt;
}

// A file that is not there is an OSError.
template <class F>
auto reading_file(F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.code() == Code::kNotFound) throw_python(PyExc_OSError, error.message());
    throw_build_error(error);
  }
}

}  // namespace

void bind_meta_graph(nb::module_& m) {
  m.def("export_meta_graph", export_meta_graph);
  m.def("import_meta_graph", import_graph);
  m.def("read_meta_graph_file", [](const std::string& path) {
    const std::string bytes =
        reading_file([&] { return train::read_meta_graph_file(path).SerializeAsString(); });
    return bytes_object(bytes);
  });
  m.def("register_collection_proto", register_proto);
  train::set_plain_values(collection_value);
}

}  // namespace rill::python
