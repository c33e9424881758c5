// Graphs, nodes and ops as messages, and back.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "origin.h"
#include "plain_values.h"
#include "protos.h"
#include "rill/api/core/default_graph.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/flow_context.h"
#include "rill/graph/graph_def.h"
#include "rill/graph/op_def.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/framework/op_def.pb.h"

namespace rill::python {
namespace {

constexpr const char* kAttrPath = "tensorflow/core/framework/attr_value.proto";
constexpr const char* kGraphPath = "tensorflow/core/framework/graph.proto";
constexpr const char* kNodePath = "tensorflow/core/framework/node_def.proto";
constexpr const char* kOpPath = "tensorflow/core/framework/op_def.proto";
constexpr const char* kVersionsPath = "tensorflow/core/framework/versions.proto";

nb::object as_graph_def(GraphObject& self, nb::handle from_version, bool add_shapes) {
  const ExportOptions options{
      .add_shapes = add_shapes,
      .from_version = from_version.is_none() ? 0 : small_integer_of(from_version)};
  const auto def = building([&] { return export_graph_def(*self.graph, options); });
  return message_from_bytes(kGraphPath, "GraphDef", def.SerializeAsString());
}

nb::object graph_def_versions(GraphObject& self) {
  tensorflow::GraphDef def;
  export_graph_def(*self.graph, &def, {.from_version = self.graph->node_count()});
  return message_from_bytes(kVersionsPath, "VersionDef", def.versions().SerializeAsString());
}

// --- import ------------------------------------------------------------------------------------

tensorflow::GraphDef read_graph_def(nb::handle message) {
  if (!nb::hasattr(message, "SerializeToString") || !nb::hasattr(message, "versions"))
    type_error("Argument `graph_def` must be a GraphDef proto.");
  return read_message<tensorflow::GraphDef>(message);
}

// Values that are no tensors become constants below "<prefix>/_inputs".
std::map<std::string, Output> read_input_map(Scope& scope, nb::handle input_map) {
  std::map<std::string, Output> result;
  if (input_map.is_none()) return result;
  Scope inputs = scope;
  for (nb::handle key : input_map) {
    if (!nb::isinstance<nb::str>(key))
      type_error("Argument `input_map` must be a dictionary with string keys, got ", repr_of(key));
    const Input input = input_of(nb::object(input_map[key]), DType::invalid, "import", "input_map");
    if (!input.is_output() && inputs.name() == scope.name()) inputs = scope.named("_inputs");
    result[str_of(key)] = input.as_output(inputs, "Const", DType::invalid);
  }
  return result;
}

std::vector<std::string> read_names(nb::handle names, const char* what) {
  std::vector<std::string> result;
  if (names.is_none()) return result;
  for (nb::handle name : names) {
    if (!nb::isinstance<nb::str>(name))
      type_error("Argument `", what, "` must be a list of strings.");
    result.push_back(str_of(name));
  }
  return result;
}

nb::object returned_elements(GraphObject& graph, const ImportResult& result) {
  nb::list list;
  for (const Output& output : result.returned)
    list.append(output.index < 0 ? wrap(graph, *output.node) : wrap(graph, output));
  return list;
}

nb::object import_into_default(nb::handle graph_def, nb::handle input_map,
                               nb::handle return_elements, nb::handle name, nb::handle,
                               nb::handle producer_op_list) {
  const tensorflow::GraphDef def = read_graph_def(graph_def);
  nb::object graph = wrap(default_graph());
  ImportOptions options{.uniquify_names = true, .origin = capture_origin()};
  options.return_elements = read_names(return_elements, "return_elements");
  tensorflow::OpList producer;
  if (!producer_op_list.is_none()) {
    producer = read_message<tensorflow::OpList>(producer_op_list);
    options.producer_ops = &producer;
  }
  return building([&] {
    const std::string prefix = name.is_none() ? "import" : str_of(name);
    Scope scope = current_scope().from(options.origin);
    if (!prefix.empty()) scope = scope.named(prefix);
    options.prefix = scope.name();
    options.input_map = read_input_map(scope, input_map);
    const ImportResult result = import_graph_def(*graph_object(graph).graph, def, options);
    for (Node* node : result.nodes) scope.put_on_devices(*node);
    take_in_imported(current_scope().from(options.origin), result.nodes);
    return return_elements.is_none() ? nb::none() : returned_elements(graph_object(graph), result);
  });
}

// --- nodes from their parts ----------------------------------------------------------------------

AttrMap read_attrs(nb::handle attrs) {
  AttrMap result;
  if (attrs.is_none()) return result;
  for (const auto& [name, value] : nb::cast<nb::dict>(attrs)) {
    result[str_of(name)] = attr_from_message(value);
  }
  return result;
}

// One flat list of tensors, divided among the op's arguments.
std::vector<InputArg> divided(const Op& op, const std::vector<Output>& flat, const AttrMap& attrs) {
  std::vector<InputArg> args;
  std::size_t next = 0;
  const auto take = [&] {
    require(next < flat.size(), "Op ", op.name, " needs more than ", flat.size(), " inputs");
    return Input(flat[next++]);
  };
  for (const Arg& arg : op.inputs) {
    if (!arg.is_list()) {
      args.emplace_back(take());
      continue;
    }
    const std::string& length = arg.number_attr.empty() ? arg.type_list_attr : arg.number_attr;
    // Without its attribute a list can only be what is left.
    const std::size_t count =
        attrs.contains(length) || op.inputs.size() > 1 ? arg_types(arg, attrs).size() : flat.size();
    std::vector<Input> items;
    for (std::size_t i = 0; i < count; ++i) items.push_back(take());
    args.emplace_back(std::move(items));
  }
  require(next == flat.size(), "Op ", op.name, " takes ", next, " inputs and not ", flat.size());
  return args;
}

nb::object create_op(GraphObject& self, const std::string& op_type, nb::handle inputs, nb::handle,
                     nb::handle, nb::handle name, nb::handle attrs, nb::handle, bool, bool) {
  std::vector<Output> flat;
  for (nb::handle input : inputs) {
    if (!is_tensor(input)) type_error("Input #", flat.size(), " is not a tensor: ", str_of(input));
    flat.push_back(graph_element(self, input, true, false));
  }
  return building([&]() -> nb::object {
    const Op& op = self.graph->op(op_type);
    AttrMap given = read_attrs(attrs);
    Scope scope = scope_of(self.graph).from(capture_origin());
    std::vector<InputArg> args = divided(op, flat, given);
    Node& node = scope.add(op, std::move(args), std::move(given),
                           name.is_none() ? std::string() : str_of(name));
    return wrap(self, node);
  });
}

}  // namespace

nb::object node_def(const Node& node) {
  tensorflow::NodeDef def;
  export_node_def(node, &def);
  return message_from_bytes(kNodePath, "NodeDef", def.SerializeAsString());
}

nb::object op_def(const Op& op) {
  tensorflow::OpDef def;
  to_proto(op, &def);
  return message_from_bytes(kOpPath, "OpDef", def.SerializeAsString());
}

nb::object func_proto(const FuncName& func) {
  tensorflow::NameAttrList message;
  to_proto(func, &message);
  return message_from_bytes(kAttrPath, "NameAttrList", message.SerializeAsString());
}

FuncName func_from_message(nb::handle message) {
  return from_proto(read_message<tensorflow::NameAttrList>(message));
}

AttrValue attr_from_message(nb::handle message) {
  if (!nb::hasattr(message, "SerializeToString"))
    type_error("Expected a tf.AttrValue, got ", repr_of(message));
  return from_proto(read_message<tensorflow::AttrValue>(message));
}

void bind_graph_protos(nb::class_<GraphObject>& c) {
  c.def("as_graph_def", as_graph_def, nb::arg("from_version") = nb::none(),
        nb::arg("add_shapes") = false);
  c.def("create_op", create_op, nb::arg("op_type"), nb::arg("inputs"),
        nb::arg("dtypes") = nb::none(), nb::arg("input_types") = nb::none(),
        nb::arg("name") = nb::none(), nb::arg("attrs") = nb::none(), nb::arg("op_def") = nb::none(),
        nb::arg("compute_shapes") = true, nb::arg("compute_device") = true);
  c.def_prop_ro("graph_def_versions", graph_def_versions);
}

void bind_protos(nb::module_& m) {
  m.def("import_graph_def", import_into_default, nb::arg("graph_def"),
        nb::arg("input_map") = nb::none(), nb::arg("return_elements") = nb::none(),
        nb::arg("name") = nb::none(), nb::arg("op_dict") = nb::none(),
        nb::arg("producer_op_list") = nb::none());
}

}  // namespace rill::python
