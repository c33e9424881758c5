#include "dimensions.h"

#include <nanobind/stl/string.h>

#include <cmath>

#include "errors.h"
#include "plain_values.h"
#include "rill/tensor/shape.h"

namespace rill::python {
namespace {

struct DimensionObject {
  std::int64_t value;  // kUnknownDim when unknown
};

std::string dimension_text(std::int64_t value) { return value < 0 ? "?" : std::to_string(value); }

nb::object dimension_value(std::int64_t value) {
  return value < 0 ? nb::none() : nb::object(nb::int_(value));
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) throw_python(PyExc_ZeroDivisionError, "integer division or modulo by zero");
  return a / b;
}

std::int64_t modulo(std::int64_t a, std::int64_t b) {
  if (b == 0) throw_python(PyExc_ZeroDivisionError, "integer division or modulo by zero");
  return a % b;
}

std::int64_t checked_dimension(std::int64_t value) {
  if (value < 0) value_error("Dimension ", value, " must be >= 0");
  return value;
}

// Unknown where either side is; NotImplemented for what is no dimension.
template <class F>
auto dimension_binary(F f, bool swapped) {
  return [=](DimensionObject& self, nb::handle other) -> nb::object {
    std::int64_t right = 0;
    try {
      right = as_dimension(other);
    } catch (nb::python_error&) {
      return nb::borrow(Py_NotImplemented);
    }
    if (self.value < 0 || right < 0) return dimension_object(kUnknownDim);
    return dimension_object(
        checked_dimension(swapped ? f(right, self.value) : f(self.value, right)));
  };
}

// None where either side is unknown: neither true nor false.
template <class F>
auto compare(F f, bool with_anything) {
  return [=](DimensionObject& self, nb::handle other) -> nb::object {
    std::int64_t right = 0;
    try {
      right = as_dimension(other);
    } catch (nb::python_error&) {
      if (!with_anything) throw;
      return nb::borrow(Py_NotImplemented);
    }
    if (self.value < 0 || right < 0) return nb::none();
    return nb::bool_(f(self.value, right));
  };
}

bool dimensions_compatible(std::int64_t a, std::int64_t b) { return a < 0 || b < 0 || a == b; }

void check_compatible(std::int64_t a, std::int64_t b) {
  if (!dimensions_compatible(a, b))
    value_error("Dimensions ", a, " and ", b, " are not compatible");
}

void bind_arithmetic(nb::class_<DimensionObject>& c) {
  const auto add = [](std::int64_t a, std::int64_t b) { return a + b; };
  const auto sub = [](std::int64_t a, std::int64_t b) { return a - b; };
  const auto mul = [](std::int64_t a, std::int64_t b) { return a * b; };
  const auto arg = nb::arg().none();
  c.def("__add__", dimension_binary(add, false), arg)
      .def("__radd__", dimension_binary(add, true), arg);
  c.def("__sub__", dimension_binary(sub, false), arg)
      .def("__rsub__", dimension_binary(sub, true), arg);
  c.def("__mul__", dimension_binary(mul, false), arg)
      .def("__rmul__", dimension_binary(mul, true), arg);
  c.def("__floordiv__", dimension_binary(floor_divide, false), arg);
  c.def("__rfloordiv__", dimension_binary(floor_divide, true), arg);
  c.def("__mod__", dimension_binary(modulo, false), arg)
      .def("__rmod__", dimension_binary(modulo, true), arg);
  c.def(
      "__truediv__",
      [](DimensionObject&, nb::handle other) -> nb::object {
        type_error("unsupported operand type(s) for /: 'Dimension' and '", type_name_of(other),
                   "', please use // instead");
      },
      arg);
  c.def(
      "__rtruediv__",
      [](DimensionObject&, nb::handle other) -> nb::object {
        type_error("unsupported operand type(s) for /: '", type_name_of(other),
                   "' and 'Dimension', please use // instead");
      },
      arg);
  c.def("__eq__", compare(std::equal_to<>(), true), arg)
      .def("__ne__", compare(std::not_equal_to<>(), true), arg);
  c.def("__lt__", compare(std::less<>(), false), arg)
      .def("__le__", compare(std::less_equal<>(), false), arg);
  c.def("__gt__", compare(std::greater<>(), false), arg)
      .def("__ge__", compare(std::greater_equal<>(), false), arg);
}

}  // namespace

nb::object dimension_object(std::int64_t value) {
  return nb::cast(DimensionObject{value < 0 ? kUnknownDim : value});
}

bool is_dimension(nb::handle value) { return nb::isinstance<DimensionObject>(value); }

std::int64_t as_dimension(nb::handle value) {
  if (value.is_none()) return kUnknownDim;
  if (is_dimension(value)) return nb::inst_ptr<DimensionObject>(value)->value;
  // A whole number may be written as a float.
  if (PyFloat_Check(value.ptr()) &&
      PyFloat_AS_DOUBLE(value.ptr()) == std::floor(PyFloat_AS_DOUBLE(value.ptr())))
    return checked_dimension(integer_of(value));
  if (!PyIndex_Check(value.ptr()))
    type_error("Dimension value must be integer or None or have an __index__ method, got value '",
               repr_of(value), "' with type '", repr_of(value.type()), "'");
  const Py_ssize_t number = PyNumber_AsSsize_t(value.ptr(), PyExc_OverflowError);
  if (number == -1 && PyErr_Occurred()) throw nb::python_error();
  return checked_dimension(number);
}

void bind_dimension(nb::module_& m) {
  nb::class_<DimensionObject> c(m, "Dimension");
  c.def(
      "__init__",
      [](DimensionObject* self, nb::handle value) {
        new (self) DimensionObject{as_dimension(value)};
      },
      nb::arg("value").none());
  c.def_prop_ro("value", [](DimensionObject& d) { return dimension_value(d.value); });
  c.def(
      "is_compatible_with",
      [](DimensionObject& d, nb::handle other) {
        return dimensions_compatible(d.value, as_dimension(other));
      },
      nb::arg("other").none());
  c.def(
      "assert_is_compatible_with",
      [](DimensionObject& d, nb::handle other) { check_compatible(d.value, as_dimension(other)); },
      nb::arg("other").none());
  c.def(
      "merge_with",
      [](DimensionObject& d, nb::handle other) {
        const std::int64_t right = as_dimension(other);
        check_compatible(d.value, right);
        return DimensionObject{d.value < 0 ? right : d.value};
      },
      nb::arg("other").none());
  bind_arithmetic(c);
  c.attr("__hash__") = nb::none();
  c.def("__bool__", [](DimensionObject& d) { return d.value > 0; });
  const auto index = [](DimensionObject& d) -> std::int64_t {
    if (d.value < 0) type_error("__index__ returned non-int (type NoneType)");
    return d.value;
  };
  c.def("__int__", index).def("__index__", index);
  c.def("__str__", [](DimensionObject& d) { return dimension_text(d.value); });
  c.def("__repr__", [](DimensionObject& d) {
    return "Dimension(" + std::string(d.value < 0 ? "None" : dimension_text(d.value)) + ")";
  });
  m.def(
      "dimension_value",
      [](nb::object value) {
        return is_dimension(value) ? dimension_value(as_dimension(value)) : value;
      },
      nb::arg("dimension").none());
}

}  // namespace rill::python
