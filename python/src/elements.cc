#include <nanobind/stl/string.h>

#include <algorithm>

#include "attrs.h"
#include "dtypes.h"
#include "errors.h"
#include "objects.h"
#include "operators.h"
#include "protos.h"
#include "session.h"
#include "shapes.h"

namespace rill::python {

PyTypeObject* operation_type = nullptr;
PyTypeObject* tensor_type = nullptr;

void wrong_object(nb::handle h, const char* expected) {
  type_error("Expected a ", expected, ", got ", h.is_valid() ? type_name_of(h) : "nothing", ".");
}

ElementObject::~ElementObject() {
  if (graph == nullptr || output.node->is_executed()) return;
  const auto found = graph->wrappers.find(output);
  if (found == graph->wrappers.end()) return;
  // A successor may have been made while this object was dying.
  if (nb::inst_ptr<ElementObject>(found->second) == this) graph->wrappers.erase(found);
}

namespace {

PyObject* operator_not_allowed = nullptr;  // the class of errors

[[noreturn]] void refuse_operator(const char* what) {
  throw_python(operator_not_allowed,
               str_cat(what,
                       " is not allowed in Graph execution. Use Eager execution or decorate this "
                       "function with @tf.function."));
}

// The values of an eager graph are nobody's but their objects'.
nb::object eager_tensor(GraphObject& graph, Output output) {
  nb::object object = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(eager_tensor_type)));
  auto* element = new (nb::inst_ptr<EagerTensorObject>(object)) EagerTensorObject;
  element->graph = &graph;
  element->graph_object = nb::borrow(graph.self);
  element->output = std::move(output);
  nb::inst_mark_ready(object);
  return object;
}

template <class T>
nb::object wrap_element(GraphObject& graph, Output output, PyTypeObject* type) {
  const auto found = graph.wrappers.find(output);
  if (found != graph.wrappers.end() && Py_REFCNT(found->second) > 0)
    return nb::borrow(found->second);
  nb::object object = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(type)));
  T* element = new (nb::inst_ptr<T>(object)) T;
  element->graph = &graph;
  element->graph_object = nb::borrow(graph.self);
  element->output = output;
  nb::inst_mark_ready(object);
  graph.wrappers[output] = object.ptr();
  return object;
}

// --- attributes that programs set --------------------------------------------------------------

int set_attribute(PyObject* self, PyObject* name, PyObject* value) {
  if (PyObject_GenericSetAttr(self, name, value) != 0) return -1;
  const auto& element = *nb::inst_ptr<ElementObject>(self);
  PyObject** dict = _PyObject_GetDictPtr(self);
  if (element.graph != nullptr && !element.output.node->is_executed() && dict != nullptr &&
      *dict != nullptr && PyDict_Size(*dict) > 0)
    element.graph->pinned.try_emplace(element.output, nb::borrow(self));
  return 0;
}

int traverse_element(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_VISIT(*dict);
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<ElementObject>(self)->graph_object.ptr());
  return 0;
}

// The graph object is not let go here: the element needs it until it is destroyed, and clearing the
// graph's own references breaks every cycle.
int clear_element(PyObject* self) {
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_CLEAR(*dict);
  return 0;
}

PyType_Slot element_slots[] = {{Py_tp_setattro, reinterpret_cast<void*>(set_attribute)},
                               {Py_tp_traverse, reinterpret_cast<void*>(traverse_element)},
                               {Py_tp_clear, reinterpret_cast<void*>(clear_element)},
                               {0, nullptr}};

// --- Operation ---------------------------------------------------------------------------------

nb::list operation_outputs(OperationObject& self) {
  nb::list list;
  for (int i = 0; i < self.node().output_count(); ++i)
    list.append(wrap(*self.graph, self.node().output(i)));
  return list;
}

nb::list control_inputs_of(OperationObject& self) {
  nb::list list;
  for (Node* node : self.node().control_inputs()) list.append(wrap(*self.graph, *node));
  return list;
}

// Oldest frame first, as Python's own tracebacks.
nb::object traceback_of(OperationObject& self) {
  nb::list entries;
  if (const OriginRef& origin = self.node().origin())
    for (auto it = origin->frames.rbegin(); it != origin->frames.rend(); ++it)
      entries.append(nb::make_tuple(it->file, it->line, it->function, nb::none()));
  return nb::module_::import_("traceback").attr("StackSummary").attr("from_list")(entries);
}

// The same with the line on which the function of each frame begins, which is not kept: its own.
nb::list traceback_with_start_lines(OperationObject& self) {
  nb::list entries;
  for (nb::handle frame : traceback_of(self))
    entries.append(nb::make_tuple(frame.attr("filename"), frame.attr("lineno"), frame.attr("name"),
                                  frame.attr("line"), frame.attr("lineno")));
  return entries;
}

nb::list control_outputs_of(OperationObject& self) {
  nb::list list;
  for (Node* reader : self.node().consumers()) {
    const auto& waits_for = reader->control_inputs();
    if (std::find(waits_for.begin(), waits_for.end(), &self.node()) != waits_for.end())
      list.append(wrap(*self.graph, *reader));
  }
  return list;
}

nb::list colocation_group_list(OperationObject& self) {
  nb::list groups;
  const auto found = self.node().attrs().find("_class");
  if (found != self.node().attrs().end())
    for (const std::string& group : found->second.get<std::vector<std::string>>())
      groups.append(bytes_object(group));
  if (groups.size() == 0) {
    const std::string own = "loc:@" + self.node().name();
    groups.append(bytes_object(own));
  }
  return groups;
}

nb::object get_attr(OperationObject& self, const std::string& name) {
  const auto found = self.node().attrs().find(name);
  if (found == self.node().attrs().end())
    value_error("Operation '", self.node().name(), "' has no attr named '", name, "'.");
  return python_attr(found->second);
}

void bind_operation(nb::module_& m) {
  nb::class_<OperationObject> c(m, "Operation", nb::type_slots(element_slots), nb::dynamic_attr(),
                                nb::is_weak_referenceable());
  operation_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def_prop_ro("name", [](OperationObject& o) { return o.node().name(); });
  c.def_prop_ro("type", [](OperationObject& o) { return o.node().op().name; });
  c.def_prop_ro("graph", [](OperationObject& o) { return o.graph_object; });
  c.def_prop_ro("device", [](OperationObject& o) { return o.node().device(); });
  c.def_prop_ro("_id", [](OperationObject& o) { return o.node().id() + 1; });
  c.def_prop_ro("inputs", [](OperationObject& o) { return wrap(*o.graph, o.node().inputs()); });
  c.def_prop_ro("outputs", operation_outputs);
  c.def_prop_ro("control_inputs", control_inputs_of);
  c.def_prop_ro("traceback", traceback_of);
  c.def_prop_ro("traceback_with_start_lines", traceback_with_start_lines);
  c.def_prop_ro("_is_stateful", [](OperationObject& o) { return o.node().op().has(kStateful); });
  c.def_prop_ro("_control_outputs", control_outputs_of);
  c.def(
      "_set_attr",
      [](OperationObject& o, const std::string& name, nb::handle value) {
        building([&] { o.graph->graph->set_attr(o.node(), name, attr_from_message(value)); });
      },
      nb::arg("attr_name"), nb::arg("attr_value"));
  c.def_prop_ro("node_def", [](OperationObject& o) { return node_def(o.node()); });
  c.def_prop_ro("op_def", [](OperationObject& o) { return op_def(o.node().op()); });
  c.def("colocation_groups", colocation_group_list);
  c.def("get_attr", get_attr, nb::arg("name"));
  c.def("values", [](OperationObject& o) { return nb::tuple(operation_outputs(o)); });
  c.def(
      "run",
      [](nb::handle self, nb::handle feeds, nb::handle session) {
        run_in_default_session(self, feeds, session, "execute operation using `run()`");
      },
      nb::arg("feed_dict") = nb::none(), nb::arg("session") = nb::none());
  c.def("_set_device", [](OperationObject& o, const std::string& device) {
    building([&] { o.graph->graph->set_device(o.node(), device); });
  });
  c.def("_add_control_input", [](OperationObject& o, OperationObject& before) {
    building([&] { o.graph->graph->add_control_input(o.node(), before.node()); });
  });
  c.def("_add_control_inputs", [](OperationObject& o, nb::handle befores) {
    for (nb::handle before : befores)
      building(
          [&] { o.graph->graph->add_control_input(o.node(), operation_object(before).node()); });
  });
  c.def("_update_input", [](OperationObject& o, int index, TensorObject& tensor) {
    building([&] { o.graph->graph->set_input(o.node(), index, tensor.output); });
  });
  c.def("__repr__", [](OperationObject& o) {
    return str_cat("<tf.Operation '", o.node().name(), "' type=", o.node().op().name, ">");
  });
  c.def("__str__", [](OperationObject& o) { return nb::str(node_def(o.node())); });
}

// --- Tensor ------------------------------------------------------------------------------------

std::string tensor_repr(const TensorObject& t) {
  return str_cat("<tf.Tensor '", t.output.name(), "' shape=", shape_text(t.output.shape()),
                 " dtype=", numpy_style_name(t.output.dtype()), ">");
}

nb::list consumers_of(TensorObject& t) {
  nb::list list;
  // Who reads it twice is named twice.
  std::vector<Node*> readers;
  for (Node* reader : t.node().consumers())
    if (std::find(readers.begin(), readers.end(), reader) == readers.end())
      readers.push_back(reader);
  for (Node* reader : readers)
    for (const Output& input : reader->inputs())
      if (input == t.output) list.append(wrap(*t.graph, *reader));
  return list;
}

void bind_tensor(nb::module_& m) {
  nb::class_<TensorObject> c(m, "Tensor", nb::type_slots(element_slots), nb::dynamic_attr(),
                             nb::is_weak_referenceable());
  tensor_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def_prop_ro("op", [](TensorObject& t) { return wrap(*t.graph, t.node()); });
  c.def_prop_ro("_op", [](TensorObject& t) { return wrap(*t.graph, t.node()); });
  c.def_prop_ro("name", [](TensorObject& t) { return t.output.name(); });
  c.def_prop_ro("graph", [](TensorObject& t) { return t.graph_object; });
  c.def_prop_ro("device", [](TensorObject& t) { return t.node().device(); });
  c.def_prop_ro("value_index", [](TensorObject& t) { return t.output.index; });
  c.def_prop_ro("dtype", [](TensorObject& t) { return dtype_object(t.output.dtype()); });
  c.def_prop_ro("shape", [](TensorObject& t) { return shape_object(t.output.shape()); });
  c.def("get_shape", [](TensorObject& t) { return shape_object(t.output.shape()); });
  c.def(
      "set_shape",
      [](TensorObject& t, nb::handle shape) {
        building([&] { t.graph->graph->refine_shape(t.output, as_shape(shape)); });
      },
      nb::arg("shape").none());
  c.def("_shape_tuple", [](TensorObject& t) { return shape_tuple(t.output.shape()); });
  c.def("consumers", consumers_of);
  c.def(
      "eval",
      [](nb::handle self, nb::handle feeds, nb::handle session) {
        return run_in_default_session(self, feeds, session, "evaluate tensor using `eval()`");
      },
      nb::arg("feed_dict") = nb::none(), nb::arg("session") = nb::none());
  c.def("_as_tf_output", [](nb::handle self) { return nb::borrow(self); });
  c.def("experimental_ref",
        [](nb::object self) { return nb::module_::import_("weakref").attr("ref")(self); });
  c.def_prop_ro("_id", [](TensorObject& t) { return t.node().id() + 1; });
  c.def("_rank", [](TensorObject& t) -> nb::object {
    const PartialShape& shape = t.output.shape();
    return shape.has_rank() ? nb::object(nb::int_(shape.rank())) : nb::none();
  });
  c.def("_shape_as_list", [](TensorObject& t) -> nb::object {
    nb::object dims = shape_tuple(t.output.shape());
    return dims.is_none() ? dims : nb::object(nb::list(dims));
  });
  c.def("__array__", [](TensorObject& t, nb::args) -> nb::object {
    throw_python(PyExc_NotImplementedError, str_cat("Cannot convert a symbolic Tensor (",
                                                    t.output.name(), ") to a numpy array."));
  });
  c.def("__repr__", tensor_repr);
  c.def("__str__", [](TensorObject& t) { return tensor_text(t.output); });
  c.def("__len__", [](TensorObject& t) -> std::size_t {
    type_error("len is not well defined for symbolic Tensors. (", t.output.name(),
               ") Please call `x.shape` rather than `len(x)` for shape information.");
  });
  c.def("__bool__",
        [](TensorObject&) -> bool { refuse_operator("using a `tf.Tensor` as a Python `bool`"); });
  c.def("__iter__",
        [](TensorObject&) -> nb::object { refuse_operator("iterating over `tf.Tensor`"); });
  // NumPy must leave `array + tensor` to the tensor.
  c.attr("__array_priority__") = 100;
  bind_operators(c);
  nb::set names;
  for (const char* name : {"add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow",
                           "matmul", "and", "or", "xor"}) {
    names.add(nb::str(str_cat("__", name, "__").c_str()));
    names.add(nb::str(str_cat("__r", name, "__").c_str()));
  }
  for (const char* name : {"abs", "neg", "invert", "getitem", "lt", "le", "gt", "ge", "eq", "ne"})
    names.add(nb::str(str_cat("__", name, "__").c_str()));
  c.attr("OVERLOADABLE_OPERATORS") = names;
}

}  // namespace

nb::object wrap(GraphObject& graph, Node& node) {
  if (node.is_executed()) return nb::none();
  return wrap_element<OperationObject>(graph, {&node, kOperation}, operation_type);
}

nb::object wrap(GraphObject& graph, Output output) {
  if (output.node->is_executed()) return eager_tensor(graph, std::move(output));
  return wrap_element<TensorObject>(graph, output, tensor_type);
}

nb::list wrap(GraphObject& graph, const std::vector<Output>& outputs) {
  nb::list list;
  for (const Output& output : outputs) list.append(wrap(graph, output));
  return list;
}

std::string tensor_text(const Output& output) {
  std::string text = str_cat("Tensor(\"", output.name(), "\"");
  if (output.shape().has_rank()) text += str_cat(", shape=", shape_text(output.shape()));
  text += str_cat(", dtype=", numpy_style_name(output.dtype()));
  if (!output.node->device().empty()) text += str_cat(", device=", output.node->device());
  return text + ")";
}

void bind_elements(nb::module_& m) {
  operator_not_allowed = PyErr_NewExceptionWithDoc(
      "rill.errors.OperatorNotAllowedInGraphError",
      "A tensor of a graph was used where Python needs its value: as a condition, or to be gone "
      "through.",
      PyExc_TypeError, nullptr);
  m.attr("OperatorNotAllowedInGraphError") = nb::handle(operator_not_allowed);
  bind_operation(m);
  bind_tensor(m);
}

}  // namespace rill::python
