#include "scopes.h"

#include <nanobind/stl/string.h>

#include <map>

#include "contexts.h"
#include "errors.h"
#include "plain_values.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/special_scopes.h"

namespace rill::python {
namespace {

nb::object nothing(const Scope&) { return nb::none(); }

nb::object scope_prefix(const Scope& scope) {
  return nb::cast(scope.name().empty() ? std::string() : scope.name() + "/");
}

nb::object name_scope(nb::object graph, nb::handle name) {
  if (!name.is_none() && !is_text(name))
    type_error("`name` for name_scope must be a string, not ", type_name_of(name), ".");
  std::string text = name.is_none() ? "" : text_of(name);
  return scope_context(
      std::move(graph), [text](const Scope& s) { return s.named(text); }, scope_prefix);
}

nb::object control_dependencies(nb::object graph, nb::handle inputs) {
  if (inputs.is_none())
    return scope_context(
        std::move(graph), [](const Scope& s) { return s.without_control(); }, nothing);
  std::vector<Node*> nodes;
  for (nb::handle item : inputs) {
    // A variable or sparse value stands for the operation behind it.
    nb::object source = nb::hasattr(item, "op") && !is_tensor(item) && !is_operation(item)
                            ? item.attr("op")
                            : nb::borrow(item);
    nodes.push_back(graph_element(graph_object(graph), source, true, true).node);
  }
  return scope_context(
      std::move(graph), [nodes](const Scope& s) { return s.with_control(nodes); }, nothing);
}

// A device as a program gives it: a string, or a DeviceSpec.
std::string device_text(nb::handle spec) {
  nb::object text = nb::hasattr(spec, "to_string") ? spec.attr("to_string")() : nb::borrow(spec);
  if (PyBytes_Check(text.ptr())) text = text.attr("decode")();
  if (!nb::isinstance<nb::str>(text))
    type_error("Expected binary or unicode string, got ", str_of(nb::repr(text)));
  return str_of(text);
}

// The function is asked for every operation made inside the block.
nb::object device_function(nb::object graph, nb::object choose) {
  GraphObject* owner = &graph_object(graph);
  const DeviceFunction function = [owner, choose](Node& node) {
    return device_text(choose(wrap(*owner, node)));
  };
  return scope_context(
      std::move(graph), [function](const Scope& s) { return s.on_device(function); }, nothing);
}

// A function of the program that chooses a device, kept so that it can be given back.
struct ChosenByProgram {
  nb::object choose;
  std::string operator()(Node& node) const { return device_text(choose(give(node))); }
};

nb::object device(nb::object graph, nb::handle spec) {
  if (spec.is_none())
    return scope_context(
        std::move(graph), [](const Scope& s) { return s.without_device(); }, nothing);
  if (PyCallable_Check(spec.ptr())) {
    if (graph_object(graph).graph->is_eager())
      throw_python(PyExc_RuntimeError,
                   "tf.device does not support functions when eager execution is enabled.");
    return device_function(std::move(graph), nb::borrow(spec));
  }
  const std::string text = device_text(spec);
  return scope_context(
      std::move(graph), [text](const Scope& s) { return s.on_device(text); }, nothing);
}

// Nodes of certain op types get an attribute: a map from op type to its value.
nb::object attribute_map(nb::object graph, nb::handle map, const char* method, const char* attr) {
  if (!nb::isinstance<nb::dict>(map))
    type_error(method, " must be a dictionary mapping strings to strings");
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : nb::cast<nb::dict>(map)) {
    if (!nb::isinstance<nb::str>(key) || !nb::isinstance<nb::str>(value))
      type_error("Keys and values of ", method, " must be strings");
    values[str_of(key)] = str_of(value);
  }
  return scope_context(
      std::move(graph),
      [values, attr](const Scope& s) {
        Scope inner = s;
        inner.on_created = [values, attr, outer = s.on_created](Node& node) {
          if (outer) outer(node);
          if (const auto it = values.find(node.op().name); it != values.end())
            node.graph().set_attr(node, attr, AttrValue(it->second));
        };
        return inner;
      },
      nothing);
}

nb::object gradient_override_map(nb::object graph, nb::handle map) {
  return attribute_map(std::move(graph), map, "op_type_map", "_gradient_op_type");
}

nb::object kernel_label_map(nb::object graph, nb::handle map) {
  return attribute_map(std::move(graph), map, "op_to_kernel_label_map", "_kernel");
}

nb::object container(nb::object graph, const std::string& name) {
  return scope_context(
      std::move(graph), [name](const Scope& s) { return in_container(s, name); },
      [name](const Scope&) { return nb::cast(name); });
}

nb::object colocate_with(nb::object graph, nb::handle op, bool ignore_existing) {
  if (op.is_none() && !ignore_existing)
    value_error("Trying to reset colocation (op is None) but ignore_existing is not True");
  Node* node = op.is_none() ? nullptr : graph_element(graph_object(graph), op, true, true).node;
  return scope_context(
      std::move(graph),
      [node, ignore_existing](const Scope& s) {
        const Scope base = ignore_existing ? s.without_colocation() : s;
        return node == nullptr ? base.without_device() : base.colocated_with(*node);
      },
      nothing);
}

}  // namespace

nb::object scope_context(nb::object graph, std::function<Scope(const Scope&)> change,
                         std::function<nb::object(const Scope&)> result) {
  auto outer = std::make_shared<std::vector<Scope>>();
  return make_context(
      [=] {
        Scope& scope = scope_of(graph_object(graph).graph);
        Scope inner = building([&] { return change(scope); });
        outer->push_back(std::move(scope));
        scope = std::move(inner);
        return result(scope);
      },
      [=] {
        scope_of(graph_object(graph).graph) = std::move(outer->back());
        outer->pop_back();
      });
}

namespace {

// Tells an object that passes for an operation on which device one would be made here, if the
// program names one. A node of no program is put there in its place. Objects written for versions
// before 1.15 have _set_device alone.
void apply_device_functions(GraphObject& graph, nb::handle op) {
  static auto& scratch = *new std::shared_ptr<Graph>(make_graph());
  static Node& node = Scope(*scratch).add("NoOp", {});
  building([&] {
    scratch->set_device(node, "");
    scope_of(graph.graph).put_on_devices(node);
  });
  if (node.device().empty()) return;
  const bool has_string = nb::hasattr(op, "_set_device_from_string");
  op.attr(has_string ? "_set_device_from_string" : "_set_device")(node.device());
}

}  // namespace

DeviceChoice device_choice_of(nb::handle given) {
  if (PyCallable_Check(given.ptr())) return DeviceFunction(ChosenByProgram{nb::borrow(given)});
  return device_text(given);
}

nb::object device_object(const std::optional<DeviceChoice>& device) {
  if (!device) return nb::none();
  if (const std::string* name = device->name()) return nb::cast(*name);
  const auto* chosen = device->function()->target<ChosenByProgram>();
  return chosen == nullptr ? nb::object(nb::none()) : chosen->choose;
}

void bind_graph_scopes(nb::class_<GraphObject>& c) {
  c.def("name_scope", name_scope, nb::arg("name").none());
  c.def("control_dependencies", control_dependencies, nb::arg("control_inputs").none());
  c.def("device", device, nb::arg("device_name_or_function").none());
  c.def("colocate_with", colocate_with, nb::arg("op").none(), nb::arg("ignore_existing") = false);
  c.def_prop_ro("_building_function", [](GraphObject& g) { return bool(g.graph->capture); });
  c.def("_apply_device_functions", apply_device_functions, nb::arg("op"));
  c.def("container", container, nb::arg("container_name"));
  c.def("gradient_override_map", gradient_override_map, nb::arg("op_type_map"));
  c.def("_kernel_label_map", kernel_label_map, nb::arg("op_to_kernel_label_map"));
  c.def("get_name_scope", [](GraphObject& g) { return scope_of(g.graph).name(); });
}

}  // namespace rill::python
