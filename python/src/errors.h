#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::python {

namespace nb = nanobind;
struct GraphObject;

// Raises a Python exception of class `type` (PyExc_ValueError, ...).
[[noreturn]] void throw_python(PyObject* type, const std::string& message);
template <class... Part>
[[noreturn]] void type_error(const Part&... part) {
  throw_python(PyExc_TypeError, str_cat(part...));
}
template <class... Part>
[[noreturn]] void value_error(const Part&... part) {
  throw_python(PyExc_ValueError, str_cat(part...));
}

// Raises the errors.XError of a failed step; the node at fault is looked up in `graph`.
[[noreturn]] void throw_run_error(const Error& error, GraphObject* graph);
// Raises what TensorFlow raises while a graph is built: TypeError, ValueError, RuntimeError.
[[noreturn]] void throw_build_error(const Error& error);

template <class F>
decltype(auto) building(F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    throw_build_error(error);
  }
}

inline nb::bytes bytes_object(std::string_view text) { return nb::bytes(text.data(), text.size()); }
std::string str_of(nb::handle h);
std::string repr_of(nb::handle h);
std::string type_name_of(nb::handle h);  // "int"

void bind_errors(nb::module_& m);

}  // namespace rill::python
