#include "attrs.h"

#include "dtypes.h"
#include "errors.h"
#include "numpy.h"
#include "objects.h"
#include "protos.h"
#include "rill/api/core/default_graph.h"
#include "shapes.h"

namespace rill::python {
namespace {

[[noreturn]] void expected(const char* kind, const AttrSpec& spec, nb::handle value) {
  type_error("Expected ", kind, " for argument '", spec.name, "' not ", repr_of(value), ".");
}

std::string string_value(const AttrSpec& spec, nb::handle value) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_Check(value.ptr()) && PyBytes_AsStringAndSize(value.ptr(), &data, &size) == 0)
    return std::string(data, static_cast<std::size_t>(size));
  if (!PyUnicode_Check(value.ptr())) expected("string", spec, value);
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) throw nb::python_error();
  return std::string(text, static_cast<std::size_t>(size));
}

std::int64_t int_value(const AttrSpec& spec, nb::handle value) {
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr())) expected("int", spec, value);
  nb::object number = nb::steal(PyNumber_Long(value.ptr()));
  if (number.is_valid()) {
    const long long result = PyLong_AsLongLong(number.ptr());
    if (result != -1 || PyErr_Occurred() == nullptr) return result;
  }
  PyErr_Clear();
  expected("int", spec, value);
}

float float_value(const AttrSpec& spec, nb::handle value) {
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr())) expected("float", spec, value);
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    expected("float", spec, value);
  }
  return static_cast<float>(number);
}

bool bool_value(const AttrSpec& spec, nb::handle value) {
  if (!PyBool_Check(value.ptr())) expected("bool", spec, value);
  return value.is(Py_True);
}

DType type_value(const AttrSpec& spec, nb::handle value) {
  const DType dtype = try_as_dtype(value);
  if (dtype == DType::invalid) expected("DataType", spec, value);
  return base_type(dtype);
}

PartialShape shape_value(const AttrSpec& spec, nb::handle value) {
  try {
    return as_shape(value);
  } catch (nb::python_error& error) {
    const std::string text = str_cat("Error converting ", repr_of(value), " (for argument '",
                                     spec.name, "') to a TensorShape: ", str_of(error.value()));
    throw_python(error.matches(PyExc_TypeError) ? PyExc_TypeError : PyExc_ValueError, text);
  }
}

Tensor tensor_value(nb::handle value) {
  if (nb::hasattr(value, "tensor_shape")) return tensor_from_message(value);
  return tensor_from_value(value, DType::invalid);
}

FuncName func_value(const AttrSpec& spec, nb::handle value) {
  if (PyUnicode_Check(value.ptr())) return FuncName{string_value(spec, value), {}};
  if (nb::hasattr(value, "DESCRIPTOR")) return func_from_message(value);
  if (nb::hasattr(value, "add_to_graph")) {
    value.attr("add_to_graph")(wrap(default_graph()));
    return FuncName{string_value(spec, value.attr("name")), {}};
  }
  expected("func", spec, value);
}

template <class F>
AttrValue list_of(const AttrSpec& spec, nb::handle value, F element) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr()))
    type_error("Expected list for attr ", spec.name, ", obtained ", type_name_of(value),
               " instead.");
  std::vector<decltype(element(value))> list;
  for (nb::handle item : value) list.push_back(element(item));
  return AttrValue(std::move(list));
}

template <class F>
AttrValue value_or_list(const AttrSpec& spec, nb::handle value, F element) {
  if (spec.is_list) return list_of(spec, value, element);
  return AttrValue(element(value));
}

// --- the other way -----------------------------------------------------------------------------

nb::object python_value(const std::string& s) { return bytes_object(s); }
nb::object python_value(std::int64_t i) { return nb::int_(i); }
nb::object python_value(float f) { return nb::float_(f); }
nb::object python_value(bool b) { return nb::bool_(b); }
nb::object python_value(DType t) { return dtype_object(t); }
nb::object python_value(const PartialShape& s) { return shape_proto(s); }
nb::object python_value(const Tensor& t) { return tensor_proto(t); }
nb::object python_value(const FuncName& f) { return func_proto(f); }
nb::object python_value(const AttrPlaceholder& p) { return nb::str(p.name.c_str()); }
nb::object python_value(std::monostate) { return nb::none(); }
template <class T>
nb::object python_value(const std::vector<T>& list) {
  nb::list result;
  for (const auto& item : list) result.append(python_value(static_cast<const T&>(item)));
  return result;
}

}  // namespace

AttrValue attr_from_python(const AttrSpec& spec, nb::handle value) {
  const auto with = [&](auto convert) {
    return value_or_list(spec, value, [&](nb::handle item) { return convert(spec, item); });
  };
  switch (spec.kind) {
    case AttrKind::kString:
      return with(string_value);
    case AttrKind::kInt:
      return with(int_value);
    case AttrKind::kFloat:
      return with(float_value);
    case AttrKind::kBool:
      return with(bool_value);
    case AttrKind::kType:
      return with(type_value);
    case AttrKind::kShape:
      return with(shape_value);
    case AttrKind::kTensor:
      return value_or_list(spec, value, tensor_value);
    case AttrKind::kFunc:
      return with(func_value);
  }
  raise(Code::kInternal, "attribute '", spec.name, "' is of no known kind");
}

nb::object python_attr(const AttrValue& value) {
  return std::visit([](const auto& v) { return python_value(v); }, value.storage());
}

nb::object python_default(const AttrValue& value) {
  if (const auto* text = value.get_if<std::string>())
    return nb::steal(PyUnicode_DecodeUTF8(text->data(), static_cast<Py_ssize_t>(text->size()),
                                          "backslashreplace"));
  if (const auto* shape = value.get_if<PartialShape>()) return shape_tuple(*shape);
  if (const auto* number = value.get_if<float>())
    if (*number == static_cast<float>(static_cast<std::int64_t>(*number)))
      return nb::int_(static_cast<std::int64_t>(*number));
  return python_attr(value);
}

}  // namespace rill::python
