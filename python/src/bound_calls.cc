#include "bound_calls.h"

#include <algorithm>
#include <array>
#include <optional>

#include "bound_signature.h"
#include "errors.h"
#include "plain_values.h"

namespace rill::python {
namespace {

// The arguments of a call, which may be changed; those with names come last.
struct BoundArguments {
  std::vector<nb::object> values;
  std::vector<nb::object> names;  // of the last values

  std::size_t by_position() const { return values.size() - names.size(); }
};

BoundArguments gather(PyObject* const* args, std::size_t flags, PyObject* keywords) {
  BoundArguments all;
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
  for (Py_ssize_t i = 0; i < PyVectorcall_NARGS(flags) + named; ++i)
    all.values.push_back(nb::borrow(args[i]));
  for (Py_ssize_t i = 0; i < named; ++i)
    all.names.push_back(nb::borrow(PyTuple_GET_ITEM(keywords, i)));
  return all;
}

PyObject* call_with(vectorcallfunc run, PyObject* function, const BoundArguments& all) {
  std::vector<PyObject*> values;
  for (const nb::object& value : all.values) values.push_back(value.ptr());
  nb::object names;
  if (!all.names.empty()) {
    nb::list list;
    for (const nb::object& name : all.names) list.append(name);
    names = nb::tuple(list);
  }
  return run(function, values.data(), all.by_position(), names.ptr());
}

bool is_list_of(const BoundParameter& p, std::string_view item) {
  return p.type == str_cat("collections.abc.Sequence[", item, "]");
}

// `value` as a parameter of a plain type takes it; others keep it.
nb::object fitted(const BoundParameter& p, nb::object value) {
  const char* name = p.name.c_str();
  if (value.is_none() && p.takes_none) return value;
  if (p.type == "bool") return nb::bool_(truth_of(value));
  if (p.type == "int") return nb::int_(integer_of(value, name));
  if (p.type == "float") return nb::float_(number_of(value, name));
  if (p.type == "str") {
    if (nb::hasattr(value, "__fspath__")) value = value.attr("__fspath__")();
    return nb::str(text_of(value, name).c_str());
  }
  for (const char* item : {"str", "int", "float", "bool"}) {
    if (!is_list_of(p, item)) continue;
    nb::list list;
    for (nb::handle one : value)
      list.append(fitted({.name = p.name, .type = item}, nb::borrow(one)));
    return list;
  }
  return value;
}

const BoundParameter* find_parameter(const BoundSignature& signature, const std::string& name) {
  for (const BoundParameter& p : signature.parameters)
    if (p.name == name && !p.by_position_only) return &p;
  return nullptr;
}

std::string shown_name(const BoundSignature& signature, const BoundArguments& all) {
  if (signature.function != "__init__" || all.values.empty()) return signature.function;
  return type_name_of(all.values[0]);
}

// Python's complaint about arguments that are too many, unknown, missing or given twice.
void check_counts(const BoundSignature& signature, const BoundArguments& all) {
  if (signature.takes_any) return;
  const std::string function = shown_name(signature, all);
  const auto& parameters = signature.parameters;
  const std::size_t count = all.by_position();
  if (count > parameters.size())
    type_error(function, "() takes ", parameters.size(), " positional arguments but ", count,
               " were given");
  std::vector<bool> given(parameters.size());
  std::fill_n(given.begin(), count, true);
  for (const nb::object& name : all.names) {
    const BoundParameter* p = find_parameter(signature, str_of(name));
    if (p == nullptr)
      type_error(function, "() got an unexpected keyword argument '", str_of(name), "'");
    const auto at = static_cast<std::size_t>(p - parameters.data());
    if (given[at]) type_error(function, "() got multiple values for argument '", p->name, "'");
    given[at] = true;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!given[i] && !parameters[i].has_default)
      type_error(function, "() missing 1 required positional argument: '", parameters[i].name, "'");
}

// The arguments converted to the parameters' types. None where there is a default means that one;
// what follows it goes by its name.
BoundArguments fitted_arguments(const BoundSignature& signature, const BoundArguments& all) {
  BoundArguments result;
  bool by_name = false;
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    const bool named = i >= all.by_position();
    const BoundParameter* p =
        named ? find_parameter(signature, str_of(all.names[i - all.by_position()]))
              : (i < signature.parameters.size() ? &signature.parameters[i] : nullptr);
    const bool left_out = p != nullptr && all.values[i].is_none() && !p->takes_none &&
                          p->has_default && !p->by_position_only && p->type != "bool";
    by_name = by_name || named || left_out;
    if (left_out) continue;
    result.values.push_back(p == nullptr ? all.values[i] : fitted(*p, all.values[i]));
    if (!by_name) continue;
    result.names.push_back(named ? all.names[i - all.by_position()]
                                 : nb::object(nb::str(p->name.c_str())));
  }
  return result;
}

// The first parameter that is of a class of the module, or not None, and whose argument is not.
[[noreturn]] void refuse_arguments(const BoundSignature& signature, const BoundArguments& all) {
  const std::string function = shown_name(signature, all);
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    const bool named = i >= all.by_position();
    const BoundParameter* p =
        named ? find_parameter(signature, str_of(all.names[i - all.by_position()]))
              : (i < signature.parameters.size() ? &signature.parameters[i] : nullptr);
    if (p == nullptr || p->name == "self") continue;
    const bool is_none = all.values[i].is_none() && !p->takes_none;
    const std::size_t dot = p->type.rfind('.');
    const std::string type = dot == p->type.npos ? p->type : p->type.substr(dot + 1);
    const bool is_other = type != "object" && type_name_of(all.values[i]) != type;
    if (is_none || (is_other && !all.values[i].is_none()))
      type_error(function, "() argument '", p->name, "' must be ",
                 type == "object" ? "given" : type, ", not ", type_name_of(all.values[i]));
  }
  type_error(function, "() was called with arguments of types that it does not take");
}

// The text of the pending error where it is one of the binding, and no more pending then.
std::optional<std::string> binding_error() {
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0 &&
      PyErr_ExceptionMatches(PyExc_RuntimeError) == 0)
    return {};
  nb::python_error error;  // takes it
  const std::string text = str_of(error.value());
  if (text.find("(): incompatible function arguments. ") != text.npos || text == "std::bad_cast")
    return text;
  error.restore();
  return {};
}

BoundSignature bound_signature(PyObject* function, std::size_t overload) {
  const nb::object all = nb::handle(function).attr("__nb_signature__");
  const nb::object one = all[overload];
  return parse_bound_signature(str_of(nb::object(one[0])));
}

// Tries the overloads with converted arguments; the complaint is about the last one.
PyObject* call_converted(vectorcallfunc run, PyObject* function, const BoundArguments& all) {
  const std::size_t overloads = nb::len(nb::object(nb::handle(function).attr("__nb_signature__")));
  for (std::size_t i = 0; i < overloads; ++i) {
    const BoundSignature signature = bound_signature(function, i);
    const bool is_last = i + 1 == overloads;
    try {
      check_counts(signature, all);
      PyObject* result = call_with(run, function, fitted_arguments(signature, all));
      if (result != nullptr) return result;
      if (!binding_error()) return nullptr;
      if (is_last) refuse_arguments(signature, all);
    } catch (nb::python_error&) {
      if (is_last) throw;
    }
  }
  return nullptr;
}

PyObject* call_bound(vectorcallfunc run, PyObject* function, PyObject* const* args,
                     std::size_t flags, PyObject* keywords) {
  PyObject* result = run(function, args, flags, keywords);
  if (result != nullptr) return result;
  try {
    const auto text = binding_error();
    if (!text) return nullptr;
    const BoundArguments all = gather(args, flags, keywords);
    // A conversion failed within the function: it has begun, and is not begun again.
    if (*text == "std::bad_cast") refuse_arguments(bound_signature(function, 0), all);
    return call_converted(run, function, all);
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  }
  return nullptr;
}

// --- the ways in -------------------------------------------------------------------------------

// The binding has few ways to call a function, by how many arguments it has; each gets one here.
constexpr std::size_t kMostWays = 8;
std::array<vectorcallfunc, kMostWays> binding_ways{};

template <std::size_t Way>
PyObject* call_by_way(PyObject* function, PyObject* const* args, std::size_t flags,
                      PyObject* keywords) {
  return call_bound(binding_ways[Way], function, args, flags, keywords);
}

template <std::size_t... Way>
constexpr std::array<vectorcallfunc, kMostWays> own_ways(std::index_sequence<Way...>) {
  return {call_by_way<Way>...};
}

void take_over(PyObject* function) {
  static constexpr auto kOwn = own_ways(std::make_index_sequence<kMostWays>{});
  auto& run = *reinterpret_cast<vectorcallfunc*>(reinterpret_cast<char*>(function) +
                                                 Py_TYPE(function)->tp_vectorcall_offset);
  for (std::size_t way = 0; way < kMostWays; ++way) {
    if (run == kOwn[way]) return;
    if (binding_ways[way] == nullptr) binding_ways[way] = run;
    if (run != binding_ways[way]) continue;
    run = kOwn[way];
    return;
  }
}

bool is_bound_function(nb::handle value) {
  return Py_TYPE(value.ptr())->tp_vectorcall_offset > 0 && nb::hasattr(value, "__nb_signature__");
}

void take_over_members(nb::handle holder, const std::string& module) {
  const nb::dict members =
      nb::borrow<nb::dict>(nb::module_::import_("builtins").attr("dict")(holder.attr("__dict__")));
  for (const auto& [name, value] : members) {
    if (is_bound_function(value)) {
      take_over(value.ptr());
    } else if (Py_IS_TYPE(value.ptr(), &PyProperty_Type)) {
      for (const char* part : {"fget", "fset"})
        if (nb::object f = value.attr(part); is_bound_function(f)) take_over(f.ptr());
    } else if (PyType_Check(value.ptr()) ? str_of(value.attr("__module__")) == module
                                         : PyModule_Check(value.ptr()) &&
                                               str_of(value.attr("__name__")).starts_with(module)) {
      take_over_members(value, module);
    }
  }
}

}  // namespace

void take_arguments_as_python_does(nb::module_& m) {
  take_over_members(m, str_of(m.attr("__name__")));
}

}  // namespace rill::python
