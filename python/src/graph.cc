#include <nanobind/stl/string.h>

#include <mutex>

#include "collections.h"
#include "contexts.h"
#include "errors.h"
#include "layers.h"
#include "objects.h"
#include "plain_values.h"
#include "protos.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/outermost_graph.h"
#include "rill/graph/flow_context.h"
#include "rill/graph/random_seed.h"
#include "scopes.h"
#include "variables.h"

namespace rill::python {

PyTypeObject* graph_type = nullptr;

namespace {

// The Python object of a graph, if it has one; borrowed.
std::unordered_map<Graph*, PyObject*>& known_graphs() {
  static auto& graphs = *new std::unordered_map<Graph*, PyObject*>;
  return graphs;
}

// The process-wide default graph is made in C++; holding its Python object keeps the attributes
// that a program gave it.
nb::object& kept_default() {
  static auto& kept = *new nb::object;
  return kept;
}

void adopt(nb::handle object) {
  GraphObject& graph = graph_object(object);
  graph.self = object.ptr();
  known_graphs()[graph.graph.get()] = object.ptr();
}

int visit_held(const GraphObject& graph, visitproc visit, void* arg) {
  for (const auto& [output, object] : graph.pinned) Py_VISIT(object.ptr());
  for (const auto& [state, object] : graph.variables) Py_VISIT(object.ptr());
  if (const int found = visit_layers(*graph.graph, visit, arg)) return found;
  return visit_collected(*graph.graph, visit, arg);
}

int traverse_graph(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_VISIT(*dict);
  if (nb::inst_ready(self))
    if (const int found = visit_held(graph_object(self), visit, arg)) return found;
  return 0;
}

int clear_graph(PyObject* self) {
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_CLEAR(*dict);
  auto pinned = std::move(graph_object(self).pinned);
  graph_object(self).pinned.clear();
  auto variables = std::move(graph_object(self).variables);
  graph_object(self).variables.clear();
  layers::forget_makers(*graph_object(self).graph);
  forget_collected(*graph_object(self).graph);
  return 0;
}

PyType_Slot graph_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_graph)},
                             {Py_tp_clear, reinterpret_cast<void*>(clear_graph)},
                             {0, nullptr}};

// --- names to elements -------------------------------------------------------------------------

const char* kinds_text(bool allow_tensor, bool allow_operation) {
  if (allow_tensor && allow_operation) return "Tensor or Operation";
  return allow_tensor ? "Tensor" : "Operation";
}

Output tensor_by_name(GraphObject& graph, const std::string& name) {
  const auto colon = name.find(':');
  const std::string node_name = name.substr(0, colon);
  long long index = 0;
  if (!parse_int(name.substr(colon + 1), &index) || node_name.empty())
    value_error("The name '", name, "' looks a like a Tensor name, but is not a valid one. Tensor ",
                "names must be of the form \"<op_name>:<output_index>\".");
  Node* node = graph.graph->find(node_name);
  if (node == nullptr)
    throw_python(PyExc_KeyError,
                 str_cat("The name '", name, "' refers to a Tensor which does not ",
                         "exist. The operation, '", node_name, "', does not exist in the graph."));
  if (index < 0 || index >= node->output_count())
    throw_python(PyExc_KeyError,
                 str_cat("The name '", name, "' refers to a Tensor which does not ",
                         "exist. The operation, '", node_name, "', exists but only has ",
                         node->output_count(), " outputs."));
  return node->output(static_cast<int>(index));
}

Output element_by_name(GraphObject& graph, const std::string& name, bool allow_tensor,
                       bool allow_operation) {
  if (name.find(':') != name.npos) {
    if (allow_tensor) return tensor_by_name(graph, name);
    value_error("Name '", name, "' appears to refer to a Tensor, not a Operation.");
  }
  Node* node = graph.graph->find(name);
  if (allow_operation) {
    if (node != nullptr) return {node, kOperation};
    throw_python(PyExc_KeyError,
                 str_cat("The name '", name, "' refers to an Operation not in the graph."));
  }
  value_error("The name '", name, "' ",
              node != nullptr ? "refers to an Operation, not a Tensor."
                              : "looks like an (invalid) Operation name, not a Tensor.",
              " Tensor names must be of the form \"<op_name>:<output_index>\".");
}

nb::object as_graph_element(GraphObject& graph, Output output) {
  return output.index == kOperation ? wrap(graph, *output.node) : wrap(graph, output);
}

void require_name(nb::handle name, const char* what) {
  if (!nb::isinstance<nb::str>(name))
    type_error(what, " names are strings (or similar), not ", type_name_of(name), ".");
}

// --- methods -----------------------------------------------------------------------------------

nb::object graph_as_default(nb::object self) {
  auto active = std::make_shared<std::vector<std::unique_ptr<AsDefault>>>();
  return make_context(
      [self, active] {
        active->push_back(std::make_unique<AsDefault>(graph_object(self).graph));
        return self;
      },
      [active] { active->pop_back(); });
}

nb::list get_operations(GraphObject& self) {
  nb::list list;
  for (Node* node : self.graph->nodes()) list.append(wrap(self, *node));
  return list;
}

std::string unique_name(GraphObject& self, const std::string& name, bool mark_as_used) {
  const std::string& scope = scope_of(self.graph).name();
  return self.graph->unique_name(scope.empty() ? name : str_cat(scope, "/", name), mark_as_used);
}

nb::object graph_seed(GraphObject& self) {
  return self.graph->seed < 0 ? nb::none() : nb::cast(self.graph->seed);
}

void set_seed(GraphObject& self, nb::handle seed) {
  std::optional<std::int64_t> value;
  if (!seed.is_none()) value = integer_of(seed);
  set_graph_seed(*self.graph, value);
}

void bind_graph_lookup(nb::class_<GraphObject>& c) {
  c.def("get_operations", get_operations);
  c.def(
      "as_graph_element",
      [](GraphObject& g, nb::handle obj, bool tensor, bool operation) {
        return as_graph_element(g, graph_element(g, obj, tensor, operation));
      },
      nb::arg("obj").none(), nb::arg("allow_tensor") = true, nb::arg("allow_operation") = true);
  c.def(
      "get_operation_by_name",
      [](GraphObject& g, nb::handle name) {
        require_name(name, "Operation");
        return as_graph_element(g, element_by_name(g, str_of(name), false, true));
      },
      nb::arg("name").none());
  c.def(
      "get_tensor_by_name",
      [](GraphObject& g, nb::handle name) {
        require_name(name, "Tensor");
        return as_graph_element(g, element_by_name(g, str_of(name), true, false));
      },
      nb::arg("name").none());
}

}  // namespace

GraphObject::~GraphObject() {
  auto& graphs = known_graphs();
  const auto found = graphs.find(graph.get());
  if (found != graphs.end() && found->second == self) graphs.erase(found);
}

nb::object wrap(const std::shared_ptr<Graph>& graph) {
  const auto found = known_graphs().find(graph.get());
  if (found != known_graphs().end() && Py_REFCNT(found->second) > 0)
    return nb::borrow(found->second);
  nb::object object = new_graph_object(graph);
  kept_default() = object;
  return object;
}

nb::object new_graph_object(const std::shared_ptr<Graph>& graph) {
  nb::object object = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(graph_type)));
  new (nb::inst_ptr<GraphObject>(object)) GraphObject(graph);
  nb::inst_mark_ready(object);
  adopt(object);
  return object;
}

GraphObject* known_graph(const Graph& graph) {
  const auto found = known_graphs().find(const_cast<Graph*>(&graph));
  return found == known_graphs().end() ? nullptr : &graph_object(found->second);
}

namespace {

// The tensor that stands for it in messages.
std::string variable_tensor_text(nb::handle variable) {
  const bool is_resource = nb::cast<bool>(nb::object(variable.attr("_is_resource")));
  return str_of(nb::object(variable.attr(is_resource ? "_as_graph_element" : "_ref")()));
}

}  // namespace

Output graph_element(GraphObject& graph, nb::handle obj, bool allow_tensor, bool allow_operation) {
  if (!allow_tensor && !allow_operation)
    value_error("allow_tensor and allow_operation can't both be False.");
  const bool is_element = is_tensor(obj) || is_operation(obj);
  if (!is_element && nb::isinstance<nb::str>(obj))
    return element_by_name(graph, str_of(obj), allow_tensor, allow_operation);
  // Those of eager execution belong to every graph: functions take them in.
  if (is_variable(obj) && !variable_object(obj).variable.is_eager() &&
      variable_object(obj).graph_object.is_valid() &&
      &graph_object(variable_object(obj).graph_object) != &graph)
    value_error("Tensor ", variable_tensor_text(obj), " is not an element of this graph.");
  if (!is_element && nb::hasattr(obj, "_as_graph_element")) {
    nb::object element = obj.attr("_as_graph_element")();
    if (!element.is_none()) return graph_element(graph, element, allow_tensor, allow_operation);
  }
  const bool fits = (allow_tensor && is_tensor(obj)) || (allow_operation && is_operation(obj));
  if (!fits)
    type_error("Can not convert a ", type_name_of(obj), " into a ",
               kinds_text(allow_tensor, allow_operation), ".");
  const auto& element = *nb::inst_ptr<ElementObject>(obj);
  if (element.graph != &graph)
    value_error(is_tensor(obj) ? "Tensor " : "Operation ",
                str_of(is_tensor(obj) ? obj : nb::repr(obj)), " is not an element of this graph.");
  return element.output;
}

// Whatever the body of a function reads, its nodes are its own.
bool is_composite(nb::handle value) {
  // Numbers, lists and arrays have built-in types: no need to ask them.
  if ((Py_TYPE(value.ptr())->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) return false;
  return !is_tensor(value) && !is_operation(value) && nb::hasattr(value, "_component_tensors");
}

namespace {

bool is_eager(nb::handle value) {
  if (!nb::inst_ready(value)) return false;
  if (is_variable(value)) return variable_object(value).variable.is_eager();
  const NodePtr& node = nb::inst_ptr<ElementObject>(value)->output.node;
  return node != nullptr && node->is_executed();
}

}  // namespace

void GraphChoice::see(nb::handle value) {
  if (default_graph()->capture) return;
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
    for (nb::handle item : value) see(item);
    return;
  }
  if (is_composite(value)) return see(nb::tuple(value.attr("_component_tensors")));
  const bool variable = is_variable(value);
  if (!variable && !is_tensor(value) && !is_operation(value)) return;
  if (is_eager(value)) return;
  const nb::object& graph = variable ? variable_object(value).graph_object
                                     : nb::inst_ptr<ElementObject>(value)->graph_object;
  if (!chosen_.is_valid()) {
    chosen_ = graph;
    first_ = value;
  } else if (!chosen_.is(graph)) {
    value_error(variable ? variable_tensor_text(value) : str_of(value),
                " must be from the same graph as ", str_of(first_), ".");
  }
}

GraphObject& GraphChoice::graph() {
  if (!chosen_.is_valid()) chosen_ = wrap(default_graph());
  return graph_object(chosen_);
}

void bind_graph(nb::module_& m) {
  nb::class_<GraphObject> c(m, "Graph", nb::type_slots(graph_slots), nb::dynamic_attr(),
                            nb::is_weak_referenceable());
  graph_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def("__init__", [](nb::pointer_and_handle<GraphObject> v) {
    new (v.p) GraphObject(make_graph());
    adopt(v.h);
  });
  c.def("as_default", graph_as_default);
  // Scopes, devices and control dependencies belong to a thread already.
  c.def("switch_to_thread_local", [](GraphObject&) {});
  c.def("finalize", [](GraphObject& g) { g.graph->finalize(); });
  c.def("_unsafe_unfinalize", [](GraphObject& g) { g.graph->unsafe_unfinalize(); });
  c.def_prop_ro("finalized", [](GraphObject& g) { return g.graph->finalized(); });
  // What TensorFlow's C functions take; those that Rill has take the graph itself.
  c.def_prop_ro("_c_graph", [](nb::handle self) { return nb::borrow(self); });
  c.def_prop_ro("version", [](GraphObject& g) { return g.graph->node_count(); });
  c.def_prop_ro("_last_id", [](GraphObject& g) { return g.graph->node_count(); });
  c.def_prop_rw("seed", graph_seed, set_seed, nb::arg("value").none());
  c.def_prop_ro("building_function", [](GraphObject& g) { return bool(g.graph->capture); });
  c.def("unique_name", unique_name, nb::arg("name"), nb::arg("mark_as_used") = true);
  c.def(
      "is_feedable",
      [](GraphObject& g, nb::handle tensor) {
        return graph_element(g, tensor, true, false).node->is_feedable();
      },
      nb::arg("tensor"));
  c.def(
      "is_fetchable",
      [](GraphObject& g, nb::handle element) {
        return graph_element(g, element, true, true).node->is_fetchable();
      },
      nb::arg("tensor_or_op"));
  c.def("_get_control_flow_context", [](GraphObject& g) -> nb::object {
    const FlowContext* const context = scope_of(g.graph).flow();
    return context == nullptr ? nb::none() : nb::object(nb::cast(context->name()));
  });
  c.def(
      "prevent_feeding",
      [](GraphObject& g, nb::handle tensor) {
        g.graph->forbid_feed(*graph_element(g, tensor, true, false).node);
      },
      nb::arg("tensor"));
  c.def(
      "prevent_fetching",
      [](GraphObject& g, nb::handle op) {
        g.graph->forbid_fetch(*graph_element(g, op, true, true).node);
      },
      nb::arg("op"));
  bind_graph_lookup(c);
  bind_graph_scopes(c);
  bind_graph_collections(c);
  bind_graph_protos(c);

  m.def("graph_of_values", [](nb::handle values) {
    GraphChoice choice;
    choice.see(values);
    return nb::borrow(choice.graph().self);
  });
  m.def("outermost_graph", [] { return wrap(outermost_graph()); });
  m.def("get_default_graph", [] { return wrap(default_graph()); });
  m.def("reset_default_graph", [] {
    try {
      reset_default_graph();
      kept_default() = nb::object();
    } catch (const Error& error) {
      throw_python(PyExc_AssertionError, error.message());
    }
  });
}

}  // namespace rill::python
