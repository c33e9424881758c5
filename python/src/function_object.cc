// The Python objects of the functions of the table: called without a dict of keywords, and with the
// signature that TensorFlow documents.
#include <nanobind/stl/string.h>
#include <structmember.h>

#include <algorithm>
#include <map>

#include "call.h"
#include "dispatch.h"
#include "errors.h"
#include "function_names.h"
#include "package.h"
#include "plain_function.h"
#include "rill/ops/register.h"

namespace rill::python {
namespace {

struct TableFunctionObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  const Function* function;
  PyObject* attributes;       // those that programs set
  PyObject* weak_references;  // Python's functions can have both
};

// The signature as Python understands it; worked out when it is first needed.
struct Parsed {
  nb::object model;  // a Python function with this signature
  nb::object names;  // interned
  std::vector<std::string> name_texts;
  nb::object defaults;    // of the last parameters that are not *args or **kwargs
  std::size_t named = 0;  // how many those are
  std::size_t required = 0;
  bool takes_list = false;  // has *args, the next parameter
  bool takes_dict = false;  // has **kwargs, the last one
};

constexpr int kTakesList = 0x04, kTakesDict = 0x08;  // of Python's code objects

std::string_view short_name(const Function& f) { return function_own_name(function_path(f)); }

Parsed parse_signature(const Function& f) {
  const std::string_view text = f.signature;
  std::string parameters(text.substr(text.find('(') + 1));
  parameters.pop_back();
  nb::dict names;
  names["tf"] = package::tf();
  Parsed parsed;
  parsed.model = nb::module_::import_("builtins")
                     .attr("eval")(str_cat("lambda ", parameters, ": None"), names);
  nb::object code = parsed.model.attr("__code__");
  parsed.names = code.attr("co_varnames");
  for (nb::handle name : parsed.names) parsed.name_texts.push_back(str_of(name));
  parsed.defaults = parsed.model.attr("__defaults__");
  if (parsed.defaults.is_none()) parsed.defaults = nb::tuple();
  parsed.named = nb::cast<std::size_t>(code.attr("co_argcount"));
  parsed.required = parsed.named - nb::len(parsed.defaults);
  const int flags = nb::cast<int>(code.attr("co_flags"));
  parsed.takes_list = (flags & kTakesList) != 0;
  parsed.takes_dict = (flags & kTakesDict) != 0;
  return parsed;
}

const Parsed& parsed_form(const Function& f) {
  static auto& forms = *new std::unordered_map<const Function*, Parsed>;
  const auto found = forms.find(&f);
  if (found != forms.end()) return found->second;
  return forms.emplace(&f, parse_signature(f)).first->second;
}

// --- arguments ---------------------------------------------------------------------------------

// The complaint is Python's own: the model function has the same signature.
[[noreturn]] void complain(const Function& f, const Parsed& form, PyObject* const* args,
                           Py_ssize_t count, PyObject* keywords) {
  form.model.attr("__name__") = nb::str(std::string(short_name(f)).c_str());
  form.model.attr("__qualname__") = form.model.attr("__name__");
  PyObject* result =
      PyObject_Vectorcall(form.model.ptr(), args, static_cast<std::size_t>(count), keywords);
  Py_XDECREF(result);
  if (result == nullptr) throw nb::python_error();
  type_error(short_name(f), "() was called with arguments that do not fit");
}

std::size_t position_of(const Parsed& form, PyObject* keyword) {
  PyObject* names = form.names.ptr();
  for (std::size_t i = 0; i < form.named; ++i)
    if (PyTuple_GET_ITEM(names, static_cast<Py_ssize_t>(i)) == keyword) return i;
  for (std::size_t i = 0; i < form.named; ++i)
    if (PyUnicode_Compare(PyTuple_GET_ITEM(names, static_cast<Py_ssize_t>(i)), keyword) == 0)
      return i;
  return form.named;
}

// The arguments by position of their parameters. What *args and **kwargs hold is made here.
struct Bound {
  std::vector<PyObject*> values;
  nb::object list, dict;
};

nb::object rest_of(PyObject* const* args, Py_ssize_t begin, Py_ssize_t end) {
  nb::object list = nb::steal(PyTuple_New(std::max<Py_ssize_t>(end - begin, 0)));
  for (Py_ssize_t i = begin; i < end; ++i)
    PyTuple_SET_ITEM(list.ptr(), i - begin, Py_NewRef(args[i]));
  return list;
}

Bound bind_arguments(const Function& f, const Parsed& form, PyObject* const* args, Py_ssize_t count,
                     PyObject* keywords) {
  const auto most = static_cast<Py_ssize_t>(form.named);
  Bound result{std::vector<PyObject*>(form.name_texts.size(), nullptr), {}, {}};
  std::vector<PyObject*>& values = result.values;
  bool fits = count <= most || form.takes_list;
  for (Py_ssize_t i = 0; fits && i < std::min(count, most); ++i)
    values[static_cast<std::size_t>(i)] = args[i];
  if (fits && form.takes_list) {
    result.list = rest_of(args, most, count);
    values[form.named] = result.list.ptr();
  }
  if (form.takes_dict) {
    result.dict = nb::dict();
    values.back() = result.dict.ptr();
  }
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t i = 0; fits && i < named; ++i) {
    PyObject* keyword = PyTuple_GET_ITEM(keywords, i);
    const std::size_t at = position_of(form, keyword);
    if (at == form.named && form.takes_dict) {
      result.dict[nb::handle(keyword)] = nb::handle(args[count + i]);
      continue;
    }
    fits = at < form.named && values[at] == nullptr;
    if (fits) values[at] = args[count + i];
  }
  for (std::size_t i = 0; fits && i < form.named; ++i) {
    if (values[i] != nullptr) continue;
    fits = i >= form.required;
    if (fits)
      values[i] = PyTuple_GET_ITEM(form.defaults.ptr(), static_cast<Py_ssize_t>(i - form.required));
  }
  if (!fits) complain(f, form, args, count, keywords);
  return result;
}

PyObject* call_table_function(PyObject* self, PyObject* const* args, std::size_t flags,
                              PyObject* keywords) {
  const Function& f = *reinterpret_cast<TableFunctionObject*>(self)->function;
  try {
    const Parsed& form = parsed_form(f);
    const Bound given = bind_arguments(f, form, args, PyVectorcall_NARGS(flags), keywords);
    const InCallersPlace place(given.values);
    const Call arguments(form.name_texts, given.values);
    return building([&] {
             nb::object other = dispatched(f, form.name_texts, given.values);
             return other.is_valid() ? other : run_function(f, arguments);
           })
        .release()
        .ptr();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_cast&) {
    PyErr_Format(PyExc_TypeError, "%s() was called with an argument of a type it does not take",
                 std::string(short_name(f)).c_str());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

// --- the type ----------------------------------------------------------------------------------

const Function& table_function(PyObject* self) {
  return *reinterpret_cast<TableFunctionObject*>(self)->function;
}

PyObject* text_object(std::string_view text) {
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

PyObject* function_name(PyObject* self, void*) {
  return text_object(short_name(table_function(self)));
}
// The public name and its module: where pickling looks for it.
PyObject* public_name(PyObject* self, void*) {
  const std::string_view path = function_path(table_function(self));
  return text_object(path.substr(path.rfind('.') + 1));
}
PyObject* get_module(PyObject* self, void*) {
  const std::string_view path = function_path(table_function(self));
  const std::size_t dot = path.rfind('.');
  const bool is_internal = path.starts_with("__");
  return text_object(dot == path.npos ? "rill"
                                      : str_cat(is_internal ? "rill._rill.functions." : "rill.",
                                                path.substr(0, dot)));
}
PyObject* function_doc(PyObject* self, void*) {
  const Function& f = table_function(self);
  return text_object(f.run ? f.doc : standard_ops().at(f.plain.op).doc);
}

PyObject* get_signature(PyObject* self, void*) {
  try {
    return nb::module_::import_("inspect")
        .attr("signature")(parsed_form(table_function(self)).model)
        .release()
        .ptr();
  } catch (nb::python_error& error) {
    error.restore();
    return nullptr;
  }
}

PyObject* function_repr(PyObject* self) {
  return PyUnicode_FromFormat("<function %s at %p>",
                              std::string(short_name(table_function(self))).c_str(), self);
}

// Like Python's functions these become methods of a class that holds them.
PyObject* bind_to(PyObject* self, PyObject* object, PyObject*) {
  if (object == nullptr || object == Py_None) return Py_NewRef(self);
  return PyMethod_New(self, object);
}

PyGetSetDef attributes[] = {
    {"__name__", function_name, nullptr, nullptr, nullptr},
    {"__qualname__", public_name, nullptr, nullptr, nullptr},
    {"__module__", get_module, nullptr, nullptr, nullptr},
    {"__doc__", function_doc, nullptr, nullptr, nullptr},
    {"__signature__", get_signature, nullptr, nullptr, nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(TableFunctionObject, vectorcall), READONLY,
     nullptr},
    {"__dictoffset__", T_PYSSIZET, offsetof(TableFunctionObject, attributes), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(TableFunctionObject, weak_references), READONLY,
     nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot function_slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                {Py_tp_repr, reinterpret_cast<void*>(function_repr)},
                                {Py_tp_descr_get, reinterpret_cast<void*>(bind_to)},
                                {Py_tp_getset, attributes},
                                {Py_tp_members, members},
                                {0, nullptr}};

PyType_Spec spec = {"rill.Function", sizeof(TableFunctionObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL, function_slots};

PyTypeObject* function_type() {
  static PyTypeObject* type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (type == nullptr) throw nb::python_error();
  return type;
}

// Also sets what Python's own assignment understands otherwise: `__class__` of the instances.
void set_type_attribute(nb::handle type, const std::string& name, nb::handle value) {
  if (!PyType_Check(type.ptr())) type_error("not a type: ", repr_of(type));
  auto* object = reinterpret_cast<PyTypeObject*>(type.ptr());
  if (PyDict_SetItemString(object->tp_dict, name.c_str(), value.ptr()) != 0)
    throw nb::python_error();
  PyType_Modified(object);
}

std::map<std::string, nb::object, std::less<>>& functions() {
  static auto& table = *new std::map<std::string, nb::object, std::less<>>;
  return table;
}

}  // namespace

const char* unary_op_of(nb::handle callable) {
  if (Py_TYPE(callable.ptr()) != function_type()) return nullptr;
  const Function& f = *reinterpret_cast<const TableFunctionObject*>(callable.ptr())->function;
  if (f.run != nullptr || f.plain.op == nullptr) return nullptr;
  const Parsed& form = parsed_form(f);
  const bool takes_one = form.named == 2 && form.required == 1 && form.name_texts[1] == "name";
  return takes_one ? f.plain.op : nullptr;
}

std::string_view function_path(const Function& f) {
  const std::string_view text = f.signature;
  return text.substr(0, text.find('('));
}

nb::object run_function(const Function& f, const Call& call) {
  return f.run ? f.run(call) : run_plain(f.plain, call);
}

void add_functions(std::span<const Function> table) {
  for (const Function& f : table) {
    auto* object = PyObject_New(TableFunctionObject, function_type());
    if (object == nullptr) throw nb::python_error();
    object->vectorcall = call_table_function;
    object->function = &f;
    object->attributes = object->weak_references = nullptr;
    const bool is_new = functions()
                            .try_emplace(std::string(function_path(f)),
                                         nb::steal(reinterpret_cast<PyObject*>(object)))
                            .second;
    if (!is_new)
      throw_python(PyExc_SystemError, str_cat("two functions are called ", function_path(f)));
  }
}

void bind_calls(nb::module_& m) {
  m.def(
      "find_function",
      [](const std::string& path) -> nb::object {
        const auto found = functions().find(path);
        return found == functions().end() ? nb::none() : found->second;
      },
      nb::arg("path"));
  m.def("function_paths", [] {
    nb::list paths;
    for (const auto& entry : functions()) paths.append(nb::cast(entry.first));
    return paths;
  });
  m.def("set_type_attribute", set_type_attribute, nb::arg("type"), nb::arg("name"),
        nb::arg("value").none());
}

void bind_function_modules(nb::module_& m) {
  nb::module_ top = m.def_submodule("functions", "The functions of the table, by their paths.");
  for (const auto& [path, function] : functions()) {
    std::vector<std::string_view> names = split(path, '.');
    const std::string last(names.back());
    names.pop_back();
    nb::module_ owner = top;
    for (const std::string_view part : names) {
      const std::string name(part);
      owner = nb::hasattr(owner, name.c_str()) ? nb::borrow<nb::module_>(owner.attr(name.c_str()))
                                               : owner.def_submodule(name.c_str());
    }
    owner.attr(last.c_str()) = function;
  }
}

}  // namespace rill::python
