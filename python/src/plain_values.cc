#include "plain_values.h"

#include <limits>

#include "errors.h"

namespace rill::python {
namespace {

[[noreturn]] void refuse_plain(const char* wanted, nb::handle value, const char* parameter,
                               const char* reason = "") {
  const std::string where = *parameter == '\0' ? "" : str_cat(" for argument '", parameter, "'");
  if (!where.empty()) type_error("Expected ", wanted, where, " not ", repr_of(value), ".");
  type_error("Expected ", wanted, ", got ", repr_of(value), " of type '", type_name_of(value),
             "' instead", reason, ".");
}

// What int() or float() makes of a number; null for what is none, as texts and None.
nb::object converted_number(nb::handle value, PyObject* (*convert)(PyObject*)) {
  if (is_text(value) || PyNumber_Check(value.ptr()) == 0) return {};
  nb::object number = nb::steal(convert(value.ptr()));
  if (number.is_valid() || PyErr_ExceptionMatches(PyExc_OverflowError) != 0) return number;
  PyErr_Clear();
  return {};
}

}  // namespace

std::int64_t integer_of(nb::handle value, const char* parameter) {
  const nb::object number = converted_number(value, PyNumber_Long);
  if (!number.is_valid() && PyErr_Occurred() == nullptr)
    refuse_plain("int", value, parameter, ", which is no integer");
  const long long result = number.is_valid() ? PyLong_AsLongLong(number.ptr()) : -1;
  if (result == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return result;
}

int small_integer_of(nb::handle value, const char* parameter) {
  const std::int64_t number = integer_of(value, parameter);
  using Limits = std::numeric_limits<int>;
  if (number < Limits::min() || number > Limits::max())
    value_error("Value out of range", *parameter == '\0' ? "" : " for ", parameter, ": ", number);
  return static_cast<int>(number);
}

double number_of(nb::handle value, const char* parameter) {
  const nb::object number = converted_number(value, PyNumber_Float);
  if (number.is_valid()) return PyFloat_AS_DOUBLE(number.ptr());
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  refuse_plain("float", value, parameter);
}

std::string text_of(nb::handle value, const char* parameter) {
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_Check(value.ptr()) && PyBytes_AsStringAndSize(value.ptr(), &bytes, &size) == 0)
    return {bytes, static_cast<std::size_t>(size)};
  if (!PyUnicode_Check(value.ptr())) refuse_plain("string", value, parameter);
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) throw nb::python_error();
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace rill::python
