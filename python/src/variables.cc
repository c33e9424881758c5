#include "variables.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <unordered_map>

#include "call.h"
#include "class_call.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "kept.h"
#include "operators.h"
#include "package.h"
#include "plain_values.h"
#include "protos.h"
#include "rill/api/core/slicing.h"
#include "rill/api/train/parts.h"
#include "rill/api/variables/variable_copies.h"
#include "rill/api/variables/variable_def.h"
#include "rill/graph/tape.h"
#include "scopes.h"
#include "shapes.h"

namespace rill::python {

PyTypeObject* variable_type = nullptr;

namespace {

// Objects of living eager variables, by their handles; borrowed.
std::unordered_map<const Node*, PyObject*>& eager_variables() {
  static auto& all = *new std::unordered_map<const Node*, PyObject*>;
  return all;
}

// The graph holds the objects of its variables.
void note_object(GraphObject& graph, const Variable& variable, nb::handle object) {
  if (variable.is_eager())
    eager_variables()[variable.handle().node] = object.ptr();
  else
    graph.variables[variable.state().get()] = nb::borrow(object);
}

int traverse_variable(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_VISIT(*dict);
  if (nb::inst_ready(self)) Py_VISIT(variable_object(self).graph_object.ptr());
  return 0;
}

int clear_variable(PyObject* self) {
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_CLEAR(*dict);
  return 0;
}

PyType_Slot variable_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_variable)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear_variable)},
                                {0, nullptr}};

nb::object variable_graph(const Variable& variable) {
  if (variable.is_eager()) return nb::borrow(eager_graph_object().self);
  if (GraphObject* known = known_graph(variable.graph())) return nb::borrow(known->self);
  return wrap(default_graph());
}

nb::object new_object(const nb::object& type, const Variable& variable) {
  nb::object object = nb::inst_alloc(type);
  new (nb::inst_ptr<VariableObject>(object)) VariableObject{variable, variable_graph(variable)};
  nb::inst_mark_ready(object);
  return object;
}

// A constraint of the program, which can ask for it again.
struct ProgramConstraint {
  std::shared_ptr<void> function;
  Output operator()(const Variable& value) const {
    return as_tensor(input_of(kept(function)(give(value)), DType::invalid, "", "constraint"));
  }
};

// --- creating ----------------------------------------------------------------------------------

InitialValue initial_value_of(nb::handle value, DType dtype) {
  if (PyCallable_Check(value.ptr()) && !is_tensor(value) && !is_variable(value))
    return InitialValue(std::function<Output()>([held = nb::borrow(value), dtype] {
      return as_tensor(input_of(held(), dtype, "", "initial_value"), "initial_value", dtype);
    }));
  return InitialValue(input_of(value, dtype, "", "initial_value"));
}

std::optional<std::vector<std::string>> optional_collection_names(nb::handle collections) {
  if (collections.is_none()) return {};
  return text_list(collections);
}

void create_variable(nb::pointer_and_handle<VariableObject> self, nb::handle initial_value,
                     nb::handle trainable, nb::handle collections, bool validate_shape,
                     nb::handle caching_device, nb::handle name, nb::handle dtype,
                     nb::handle constraint, nb::handle use_resource, nb::handle synchronization,
                     nb::handle aggregation, nb::handle shape) {
  VariableOptions options;
  if (!trainable.is_none()) options.trainable = truth_of(trainable);
  options.collections = optional_collection_names(collections);
  options.validate_shape = validate_shape;
  if (!caching_device.is_none()) options.caching_device = device_choice_of(caching_device);
  if (!name.is_none()) options.name = text_of(name, "name");
  if (!dtype.is_none()) options.dtype = base_type(as_dtype(dtype));
  options.constraint = constraint_of(constraint);
  if (!use_resource.is_none()) options.use_resource = truth_of(use_resource);
  options.synchronization = enum_of<VariableSynchronization>(synchronization);
  options.aggregation = enum_of<VariableAggregation>(aggregation);
  if (!shape.is_none()) options.shape = as_shape(shape);
  // A shape that is said to be unknown stays so: later values may have any.
  if (!shape.is_none() && !options.shape.has_rank()) options.validate_shape = false;
  if (initial_value.is_none()) value_error("initial_value must be specified.");
  PyObject* const seen[] = {initial_value.ptr()};
  const InCallersPlace place(seen);
  const Variable made =
      building([&] { return Variable(initial_value_of(initial_value, options.dtype), options); });
  new (self.p) VariableObject{made, variable_graph(made)};
  GraphObject& graph = graph_object(self.p->graph_object);
  if (!made.has_copies() || !graph.variables.contains(made.state().get()))
    note_object(graph, made, self.h);
}

// --- methods -----------------------------------------------------------------------------------

// Runs `build` where the program stands, in the variable's graph.
template <class Build>
auto on_variable(VariableObject& self, Build build) {
  PyObject* const seen[] = {nb::find(self).ptr()};
  const InCallersPlace place(seen);
  return building([&] { return build(self.variable); });
}

using Write = Node& (Variable::*)(const Input&, const AssignOptions&) const;
using Written = Output (Variable::*)(const Input&, const AssignOptions&) const;

template <Write write, Written written>
nb::object assign_method(VariableObject& self, nb::handle value, bool use_locking, nb::handle name,
                         bool read_value) {
  return on_variable(self, [&](const Variable& v) -> nb::object {
    const AssignOptions options{use_locking, text_or_empty(name)};
    const Input input = input_of(value, v.is_resource() ? v.dtype() : DType::invalid, "", "value");
    if (!read_value) return give((v.*write)(input, options));
    return give_written(v, (v.*written)(input, options));
  });
}

template <class C>
void bind_assigns(C& c) {
  const auto def = [&](const char* name, auto f, const char* argument) {
    c.def(name, f, nb::arg(argument).none(), nb::arg("use_locking") = false,
          nb::arg("name") = nb::none(), nb::arg("read_value") = true);
  };
  def("assign", assign_method<&Variable::assign_op, &Variable::assign>, "value");
  def("assign_add", assign_method<&Variable::assign_add_op, &Variable::assign_add>, "delta");
  def("assign_sub", assign_method<&Variable::assign_sub_op, &Variable::assign_sub>, "delta");
  for (const char* how : {"add", "sub", "mul", "div", "min", "max", "update"})
    c.def(
        str_cat("scatter_", how).c_str(),
        [how = std::string(how)](VariableObject& self, nb::handle delta, bool use_locking,
                                 nb::handle name) {
          if (!nb::hasattr(delta, "indices") || !nb::hasattr(delta, "values"))
            type_error("sparse_delta is not IndexedSlices: ", repr_of(delta));
          return on_variable(self, [&](const Variable& v) {
            std::string op = how;
            op[0] = static_cast<char>(op[0] - 'a' + 'A');
            const nb::object indices = delta.attr("indices"), values = delta.attr("values");
            return give_written(v, v.scatter(op, input_of(indices, DType::invalid, "", "indices"),
                                             input_of(values, v.dtype(), "", "updates"),
                                             {use_locking, text_or_empty(name)}));
          });
        },
        nb::arg("sparse_delta"), nb::arg("use_locking") = false, nb::arg("name") = nb::none());
  for (const char* how : {"add", "sub", "update"})
    c.def(
        str_cat("scatter_nd_", how).c_str(),
        [how = std::string(how)](VariableObject& self, nb::handle indices, nb::handle updates,
                                 nb::handle name) {
          return on_variable(self, [&](const Variable& v) {
            std::string op = how;
            op[0] = static_cast<char>(op[0] - 'a' + 'A');
            return give_written(v,
                                v.scatter_nd(op, input_of(indices, DType::invalid, "", "indices"),
                                             input_of(updates, v.dtype(), "", "updates"),
                                             {true, text_or_empty(name)}));
          });
        },
        nb::arg("indices"), nb::arg("updates"), nb::arg("name") = nb::none());
}

template <class C>
void bind_variable_reads(C& c) {
  c.def_prop_ro("_is_eager", [](VariableObject& self) { return self.variable.is_eager(); });
  c.def("value", [](VariableObject& self) {
    return on_variable(self, [](const Variable& v) { return give(v.value()); });
  });
  c.def("read_value", [](VariableObject& self) {
    return on_variable(self, [](const Variable& v) { return give(v.read_value()); });
  });
  c.def("initialized_value", [](VariableObject& self) {
    return on_variable(self, [](const Variable& v) { return give(v.initialized_value()); });
  });
  c.def(
      "sparse_read",
      [](VariableObject& self, nb::handle indices, nb::handle name) {
        return on_variable(self, [&](const Variable& v) {
          return give(
              v.sparse_read(input_of(indices, DType::invalid, "", "indices"), text_or_empty(name)));
        });
      },
      nb::arg("indices"), nb::arg("name") = nb::none());
  c.def(
      "gather_nd",
      [](VariableObject& self, nb::handle indices, nb::handle name) {
        return on_variable(self, [&](const Variable& v) {
          return give(
              v.gather_nd(input_of(indices, DType::invalid, "", "indices"), text_or_empty(name)));
        });
      },
      nb::arg("indices"), nb::arg("name") = nb::none());
  c.def(
      "count_up_to",
      [](VariableObject& self, std::int64_t limit) {
        return on_variable(self, [&](const Variable& v) { return give(v.count_up_to(limit)); });
      },
      nb::arg("limit"));
  c.def(
      "_is_initialized",
      [](VariableObject& self, nb::handle name) {
        return on_variable(
            self, [&](const Variable& v) { return give(v.is_initialized(text_or_empty(name))); });
      },
      nb::arg("name").none());
}

void require_of_graph(const VariableObject& o, PyObject* error, const char* what) {
  if (o.variable.is_eager())
    throw_python(error, str_cat(what, " when eager execution is enabled."));
}

template <class C>
void bind_variable_facts(C& c) {
  c.def_prop_ro("name", [](VariableObject& o) {
    return o.variable->written_by != nullptr ? o.variable->written_by->name() : o.variable.name();
  });
  c.def_prop_ro("_shared_name", [](VariableObject& o) { return o.variable.op().name(); });
  c.def_prop_ro("dtype", [](VariableObject& o) {
    return dtype_object(o.variable.is_resource() ? o.variable.dtype()
                                                 : o.variable.handle().dtype());
  });
  c.def_prop_ro("shape", [](VariableObject& o) { return shape_object(o.variable.shape()); });
  c.def("get_shape", [](VariableObject& o) { return shape_object(o.variable.shape()); });
  c.def(
      "set_shape",
      [](VariableObject& o, nb::handle shape) {
        building([&] { o.variable.set_shape(as_shape(shape)); });
      },
      nb::arg("shape"));
  c.def_prop_ro("graph", [](VariableObject& o) {
    require_of_graph(o, PyExc_AttributeError, "Tensor.graph is meaningless");
    return o.graph_object;
  });
  c.def_prop_ro("device", [](VariableObject& o) { return o.variable.device(); });
  c.def_prop_ro("op", [](VariableObject& o) {
    require_of_graph(o, PyExc_AttributeError, "Tensor.op is meaningless");
    return give(o.variable->written_by != nullptr ? *o.variable->written_by : o.variable.op());
  });
  c.def_prop_ro("handle", [](VariableObject& o) { return give(o.variable.handle()); });
  c.def("_ref", [](VariableObject& o) { return give(o.variable.handle()); });
  // In eager execution there is none.
  const auto initializer = [](VariableObject& o) {
    return o.variable.is_eager() ? nb::object(nb::none()) : give(o.variable.initializer());
  };
  c.def_prop_ro("initializer", initializer);
  c.def_prop_ro("_initializer_op", initializer);
  const auto initial_value = [](VariableObject& o) {
    if (o.variable.is_eager())
      throw_python(PyExc_RuntimeError, "initial_value not supported in EAGER mode.");
    return give(o.variable.initial_value());
  };
  c.def_prop_ro("initial_value", initial_value);
  c.def_prop_ro("_initial_value", initial_value);
  c.def_prop_ro("_native_slice", [](VariableObject& o) -> nb::object {
    const auto& slice = o.variable->save_slice_info;
    if (!slice) return nb::none();
    return nb::make_tuple(slice->full_name, slice->full_shape, slice->var_offset, slice->var_shape);
  });
  c.def("_set_native_slice", [](VariableObject& o, std::string name, std::vector<std::int64_t> full,
                                std::vector<std::int64_t> offset, std::vector<std::int64_t> shape) {
    o.variable->save_slice_info =
        SaveSliceInfo{std::move(name), std::move(full), std::move(offset), std::move(shape)};
  });
  c.def_prop_ro("constraint", [](VariableObject& o) -> nb::object {
    if (!o.variable->constraint) return nb::none();
    if (const auto* given = o.variable->constraint.target<ProgramConstraint>())
      return kept(given->function);
    return nb::cpp_function([constraint = o.variable->constraint](nb::handle value) {
      return building([&] { return give(constraint(variable_of(value))); });
    });
  });
  c.def_prop_ro("trainable", [](VariableObject& o) { return o.variable.trainable(); });
  c.def_prop_ro("_copies_kind", [](VariableObject& o) -> std::string {
    return o.variable.has_copies() ? o.variable.state()->copies->kind() : "";
  });
  c.def_prop_ro("_is_resource", [](VariableObject& o) { return o.variable.is_resource(); });
  c.def_prop_ro("_synchronization_number",
                [](VariableObject& o) { return static_cast<int>(o.variable->synchronization); });
  c.def_prop_ro("_aggregation_number",
                [](VariableObject& o) { return static_cast<int>(o.variable->aggregation); });
  c.def("_as_graph_element", [](VariableObject& o) { return give(o.variable.snapshot()); });
}

}  // namespace

VariableObject::~VariableObject() {
  if (!variable || !variable.is_eager()) return;
  const auto found = eager_variables().find(variable.handle().node);
  if (found != eager_variables().end() &&
      nb::inst_ptr<VariableObject>(nb::handle(found->second)) == this)
    eager_variables().erase(found);
}

nb::object eager_variable(const Output& handle) {
  const auto found = eager_variables().find(handle.node);
  const bool lives = found != eager_variables().end() && Py_REFCNT(found->second) > 0;
  return lives ? nb::borrow(found->second) : nb::none();
}

namespace {

nb::object variable_type_of(const Variable& variable) {
  const nb::object kinds = package::variable.get().attr("_kinds");
  if (!variable.has_copies()) return kinds[variable.is_resource() ? 1 : 0];
  return package::variable.get().attr("_copied_kinds")[variable.state()->copies->kind()];
}

}  // namespace

nb::object give(const Variable& variable) {
  if (variable.is_eager()) {
    if (nb::object known = eager_variable(variable.handle()); !known.is_none()) return known;
    nb::object object = new_object(variable_type_of(variable), variable);
    eager_variables()[variable.handle().node] = object.ptr();
    return object;
  }
  nb::object graph = variable_graph(variable);
  auto& known = graph_object(graph).variables;
  const auto found = known.find(variable.state().get());
  if (found != known.end()) return found->second;
  nb::object object = new_object(variable_type_of(variable), variable);
  known[variable.state().get()] = object;
  return object;
}

nb::object give_written(const Variable& variable, Output result) {
  if (!variable.is_resource() || variable.has_copies()) return give(result);
  // A read of it would see what was written, like any other.
  if (variable.is_eager() && result.node->is_executed()) {
    auto state = std::make_shared<VariableState>(*variable.state());
    state->name = "UnreadVariable";
    return new_object(package::unread_variable.get(), Variable(std::move(state)));
  }
  return new_object(package::unread_variable.get(),
                    variable.after(train::write_of(variable, result), result));
}

Constraint constraint_of(nb::handle function) {
  if (function.is_none()) return {};
  if (!PyCallable_Check(function.ptr()))
    value_error("The `constraint` argument must be a callable.");
  return ProgramConstraint{keep(function)};
}

Variable variable_of(nb::handle h) {
  if (is_variable(h)) return variable_object(h).variable;
  type_error("Expected a Variable, got ", repr_of(h));
}

void bind_variables(nb::module_& m) {
  nb::class_<VariableObject> c(m, "VariableBase", nb::type_slots(variable_slots),
                               nb::dynamic_attr(), nb::is_weak_referenceable());
  variable_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def("__init__", create_variable, nb::arg("initial_value").none(), nb::arg("trainable").none(),
        nb::arg("collections").none(), nb::arg("validate_shape"), nb::arg("caching_device").none(),
        nb::arg("name").none(), nb::arg("dtype").none(), nb::arg("constraint").none(),
        nb::arg("use_resource").none(), nb::arg("synchronization").none(),
        nb::arg("aggregation").none(), nb::arg("shape").none());
  bind_variable_facts(c);
  bind_variable_reads(c);
  bind_assigns(c);
  m.def("is_ready", [](nb::handle object) { return nb::inst_ready(object); });
  m.def(
      "assign_slice",
      [](VariableObject& self, nb::handle piece, nb::handle value, nb::handle name) {
        return on_variable(self, [&](const Variable& v) {
          return give_written(
              v, v.assign_slice(tensor_object(piece).output,
                                input_of(value, v.dtype(), "", "value"), text_or_empty(name)));
        });
      },
      nb::arg("variable"), nb::arg("piece"), nb::arg("value"), nb::arg("name") = nb::none());
  // The part of an eager variable that variable[key] reads.
  m.def("assign_eager_slice", [](VariableObject& self, nb::handle key, nb::handle value) {
    return on_variable(self, [&](const Variable& v) {
      Tape reads(false);  // makes the slice keep where it begins and ends
      const Output whole = v.read_value();
      reads.watch(whole);
      reads.start();
      const Output piece = slice(current_scope(), whole, slice_keys(key));
      reads.stop();
      return give_written(v, v.assign_slice(piece, input_of(value, v.dtype(), "", "value")));
    });
  });
  m.def("slice_spec", [](std::vector<std::int64_t> full, std::vector<std::int64_t> offset,
                         std::vector<std::int64_t> shape) {
    return SaveSliceInfo{"", std::move(full), std::move(offset), std::move(shape)}.spec();
  });
  m.def(
      "variable_to_proto",
      [](VariableObject& self, nb::handle scope) -> nb::object {
        const auto message = to_variable_def(self.variable, text_or_empty(scope));
        if (!message) return nb::none();
        return message_from_bytes("tensorflow/core/framework/variable.proto", "VariableDef",
                                  message->SerializeAsString());
      },
      nb::arg("variable"), nb::arg("export_scope").none());
  m.def(
      "variable_from_proto",
      [](nb::handle message, nb::handle scope) {
        return building([&] {
          return give(from_variable_def(read_message<tensorflow::VariableDef>(message),
                                        text_or_empty(scope)));
        });
      },
      nb::arg("variable_def"), nb::arg("import_scope").none());
  m.def("enable_resource_variables", enable_resource_variables);
  m.def("disable_resource_variables", disable_resource_variables);
  m.def("resource_variables_enabled", resource_variables_enabled);
}

}  // namespace rill::python
