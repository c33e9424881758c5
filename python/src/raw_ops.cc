#include "raw_ops.h"

#include <nanobind/stl/string.h>

#include <map>

#include "attrs.h"
#include "call.h"
#include "errors.h"
#include "inputs.h"
#include "origin.h"
#include "plain_values.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/op_call.h"
#include "rill/ops/register.h"

namespace rill::python {
namespace {

// Python's name of an argument where it differs from the wire's; an empty op means any.
struct Renamed {
  std::string_view op, wire, python;
};
constexpr Renamed kRenamed[] = {{"ReduceJoin", "reduction_indices", "reduction_indices"},
                                {"", "reduction_indices", "axis"},
                                {"ExpandDims", "dim", "axis"},
                                {"Select", "t", "x"},
                                {"Select", "e", "y"},
                                {"Split", "split_dim", "axis"},
                                {"SplitV", "split_dim", "axis"},
                                {"Squeeze", "squeeze_dims", "axis"},
                                {"Where", "input", "condition"}};

std::string python_arg_name(const Op& op, const std::string& wire) {
  for (const Renamed& r : kRenamed)
    if (r.wire == wire && (r.op.empty() || r.op == op.name)) return std::string(r.python);
  return wire;
}

// "BatchMatMulV2" is batch_mat_mul_v2, "Conv2DBackpropInput" is conv2d_backprop_input.
std::string snake_case(std::string_view name) {
  const auto is_upper = [&](std::size_t i) { return name[i] >= 'A' && name[i] <= 'Z'; };
  const auto is_lower = [&](std::size_t i) {
    return i < name.size() && name[i] >= 'a' && name[i] <= 'z';
  };
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (i > 0 && is_upper(i) && name[i - 1] != '_' && (is_lower(i - 1) || is_lower(i + 1)))
      result += '_';
    result += is_upper(i) ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
  }
  return result;
}

struct Parameter {
  nb::object name;             // an interned str
  const Arg* input = nullptr;  // one of these two is set
  const AttrSpec* attr = nullptr;

  bool is_required() const { return input != nullptr || !attr->default_value; }
};

// One function of raw_ops. Its parameters are fixed when it is first asked for.
struct RawOpObject {
  RawOpObject(const Op& o, bool positional)
      : op(&o), function_name(snake_case(o.name)), takes_positional(positional) {
    for (const Arg& arg : op->inputs) add(python_arg_name(*op, arg.name)).input = &arg;
    for (const bool with_default : {false, true})
      for (const AttrSpec& attr : op->attrs)
        if (!op->is_inferred(attr.name) && attr.default_value.has_value() == with_default)
          add(python_arg_name(*op, attr.name)).attr = &attr;
  }

  Parameter& add(const std::string& name) {
    nb::object text = nb::steal(PyUnicode_InternFromString(name.c_str()));
    return parameters.emplace_back(Parameter{std::move(text)});
  }

  nb::object signature() const;
  std::string doc() const;

  const Op* op;
  std::string function_name;
  bool takes_positional;  // functions of loaded libraries do, those of raw_ops do not
  std::vector<Parameter> parameters;
};

// The named tuple of an op with several outputs.
nb::object result_type(const Op& op) {
  static auto& types = *new std::unordered_map<const Op*, nb::object>;
  nb::object& type = types[&op];
  if (!type.is_valid()) {
    nb::list fields;
    for (const Arg& output : op.outputs) fields.append(nb::str(output.name.c_str()));
    type = nb::module_::import_("collections").attr("namedtuple")(op.name, fields);
  }
  return type;
}

nb::object RawOpObject::signature() const {
  nb::module_ inspect = nb::module_::import_("inspect");
  nb::object parameter = inspect.attr("Parameter");
  nb::object kind = parameter.attr("POSITIONAL_OR_KEYWORD");
  nb::list list;
  for (const Parameter& p : parameters) {
    if (p.is_required()) {
      list.append(parameter(p.name, kind));
    } else {
      nb::object value = python_default(*p.attr->default_value);
      list.append(parameter(p.name, kind, nb::arg("default") = value));
    }
  }
  list.append(parameter("name", kind, nb::arg("default") = nb::none()));
  return inspect.attr("Signature")(list);
}

std::string RawOpObject::doc() const {
  std::string text = op->doc.empty() ? str_cat("The op ", op->name, ".") : op->doc;
  if (!parameters.empty()) text += "\n\nArgs:";
  for (const Parameter& p : parameters) {
    const std::string& doc = p.input != nullptr ? p.input->doc : p.attr->doc;
    text += str_cat(
        "\n  ", p.name.is_valid() ? nb::str(p.name).c_str() : "", ": ",
        p.input != nullptr ? "a tensor" : str_cat("an attribute of kind ", p.attr->kind_text()),
        p.input != nullptr && p.input->is_list() ? " list." : ".", doc.empty() ? "" : " ", doc);
  }
  return text;
}

[[noreturn]] void unexpected_keyword(const RawOpObject& self, const nb::kwargs& given) {
  for (const auto& [key, value] : given) {
    bool known = nb::cast<nb::str>(key).equal(nb::str("name"));
    for (const Parameter& p : self.parameters) known |= p.name.equal(key);
    if (!known)
      type_error(self.function_name, "() got an unexpected keyword argument ", repr_of(key));
  }
  type_error(self.function_name, "() got unexpected arguments");
}

std::string possible_keys(const RawOpObject& self) {
  nb::list names;
  for (const Parameter& p : self.parameters) names.append(p.name);
  names.append(nb::str("name"));
  return repr_of(names);
}

// The arguments of one call, in the order of the parameters; nullptr where one was not given.
struct RawCall {
  std::vector<PyObject*> values;
  std::string name;
};

RawCall parse_call(const RawOpObject& self, const nb::kwargs& given) {
  RawCall call;
  std::size_t used = 0;
  for (const Parameter& p : self.parameters) {
    PyObject* value = PyDict_GetItemWithError(given.ptr(), p.name.ptr());
    if (value != nullptr) ++used;
    if (value == nullptr && p.is_required())
      type_error(self.function_name,
                 "() missing 1 required positional argument: ", repr_of(p.name));
    call.values.push_back(value);
  }
  if (PyObject* name = PyDict_GetItemString(given.ptr(), "name")) {
    ++used;
    if (name != Py_None && !PyUnicode_Check(name))
      type_error("expected string or bytes-like object, got '", type_name_of(name), "'");
    if (name != Py_None) call.name = text_of(name, "name");
  }
  if (used != given.size()) unexpected_keyword(self, given);
  return call;
}

// Positional arguments under their names; the last parameter is `name`.
nb::kwargs arguments_by_name(const RawOpObject& self, const nb::args& positional,
                             const nb::kwargs& given) {
  if (!self.takes_positional)
    type_error(self.function_name, " only takes keyword args (possible keys: ", possible_keys(self),
               "). Please pass these args as kwargs instead.");
  const std::size_t most = self.parameters.size() + 1;
  if (positional.size() > most)
    type_error(self.function_name, "() takes ", most, " positional arguments but ",
               positional.size(), " were given");
  nb::kwargs all = nb::steal<nb::kwargs>(PyDict_Copy(given.ptr()));
  for (std::size_t i = 0; i < positional.size(); ++i) {
    const nb::object name = i + 1 < most ? self.parameters[i].name : nb::object(nb::str("name"));
    if (all.contains(name))
      type_error(self.function_name, "() got multiple values for argument ", repr_of(name));
    all[name] = positional[i];
  }
  return all;
}

nb::object call_raw_op(RawOpObject& self, const nb::args& positional, const nb::kwargs& given) {
  const RawCall call =
      parse_call(self, positional.size() > 0 ? arguments_by_name(self, positional, given) : given);
  GraphChoice choice;
  std::vector<InputArg> inputs;
  AttrMap attrs;
  for (std::size_t i = 0; i < call.values.size(); ++i) {
    const Parameter& p = self.parameters[i];
    if (p.input != nullptr) {
      choice.see(call.values[i]);
      inputs.push_back(input_arg(*self.op, *p.input, call.values[i]));
    } else if (call.values[i] != nullptr && (call.values[i] != Py_None || p.is_required())) {
      attrs.emplace(p.attr->name, attr_from_python(*p.attr, call.values[i]));
    }
  }
  GraphObject& graph = choice.graph();
  Scope scope = scope_of(graph.graph).from(capture_origin());
  Node& node = building([&]() -> Node& {
    return scope.add(*self.op, std::move(inputs), std::move(attrs), call.name);
  });
  return op_result(node);
}

// A class has these attributes itself, so an instance's must be given with the slots.
PyObject* raw_op_name(PyObject* self, void*) {
  return PyUnicode_FromString(nb::inst_ptr<RawOpObject>(self)->function_name.c_str());
}

PyObject* raw_op_doc(PyObject* self, void*) {
  return PyUnicode_FromString(nb::inst_ptr<RawOpObject>(self)->doc().c_str());
}

PyGetSetDef raw_op_attributes[] = {{"__name__", raw_op_name, nullptr, nullptr, nullptr},
                                   {"__qualname__", raw_op_name, nullptr, nullptr, nullptr},
                                   {"__doc__", raw_op_doc, nullptr, nullptr, nullptr},
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot raw_op_slots[] = {{Py_tp_getset, raw_op_attributes}, {0, nullptr}};

// One object for an op, however often it is asked for.
nb::object op_object(const Op& op, bool positional) {
  static auto& objects = *new std::map<std::pair<const Op*, bool>, nb::object>;
  nb::object& object = objects[{&op, positional}];
  if (!object.is_valid()) object = nb::cast(RawOpObject(op, positional));
  return object;
}

nb::object raw_op(const std::string& name) {
  const Op* op = standard_ops().find(name);
  if (op == nullptr || name.starts_with("_"))
    throw_python(PyExc_AttributeError,
                 str_cat("module 'rill.raw_ops' has no attribute '", name, "'"));
  return op_object(*op, false);
}

nb::object op_function(const std::string& name) { return op_object(standard_ops().at(name), true); }

nb::list raw_op_names() {
  nb::list names;
  for (const Op* op : standard_ops().all())
    if (!op->name.starts_with("_")) names.append(nb::str(op->name.c_str()));
  return names;
}

nb::list op_attr_names(const std::string& op_name) {
  nb::list names;
  if (const Op* op = standard_ops().find(op_name))
    for (const AttrSpec& attr : op->attrs) names.append(nb::str(attr.name.c_str()));
  return names;
}

}  // namespace

nb::object op_result(Node& node) {
  if (node.output_count() == 0) return give(node);
  nb::list parts;
  int next = 0;
  for (std::size_t i = 0; i < node.op().outputs.size(); ++i) {
    if (node.op().outputs[i].is_list())
      parts.append(give(OpCall::take_list(node, i, next)));
    else
      parts.append(give(OpCall::take(node, next)));
  }
  if (parts.size() == 1) return parts[0];
  return result_type(node.op()).attr("_make")(parts);
}

void bind_raw_ops(nb::module_& m) {
  nb::class_<RawOpObject> c(m, "RawOp", nb::type_slots(raw_op_slots), nb::dynamic_attr(),
                            nb::is_weak_referenceable());
  c.def("__call__", call_raw_op);
  c.def_prop_ro("__signature__", [](RawOpObject& r) { return r.signature(); });
  c.def_prop_ro("takes_positional", [](RawOpObject& r) { return r.takes_positional; });
  c.def_prop_ro("op_name", [](RawOpObject& r) { return r.op->name; });
  c.def("__repr__", [](RawOpObject& r) { return str_cat("<function ", r.function_name, ">"); });
  m.def("raw_op", raw_op, nb::arg("name"));
  m.def("op_function", op_function, nb::arg("name"));
  m.def("raw_op_names", raw_op_names);
  m.def("op_function_names", [] {
    nb::dict names;
    for (const Op* op : standard_ops().all())
      names[nb::cast(snake_case(op->name))] = nb::cast(op->name);
    return names;
  });
  m.def("op_attr_names", op_attr_names, nb::arg("op_name"));
}

}  // namespace rill::python
