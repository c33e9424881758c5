#include "array_functions.h"
#include "errors.h"
#include "inputs.h"
#include "shapes.h"

namespace rill::python {
namespace {

// A list of numbers of which one needs 64 bits.
bool is_long_shape(nb::handle value) {
  bool any = false;
  for (nb::handle item : nb::object(nb::borrow(value))) {
    if (!PyLong_Check(item.ptr())) return false;
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(item.ptr(), &overflow);
    if (overflow != 0) return false;
    any |= !std::in_range<std::int32_t>(number);
  }
  return any;
}

}  // namespace

ShapeInput shape_input(nb::handle value) {
  if (is_shape(value)) return as_shape(value).full();
  if (is_sequence(value) && is_long_shape(value)) return ShapeInput(integers(value));
  return input_of(value, is_sequence(value) ? DType::i32 : DType::invalid, "", "shape");
}

std::vector<std::int64_t> integers(nb::handle value) {
  std::vector<std::int64_t> numbers;
  const auto add = [&](nb::handle item) {
    nb::object number = nb::steal(PyNumber_Index(item.ptr()));
    if (!number.is_valid()) throw nb::python_error();
    numbers.push_back(nb::cast<std::int64_t>(number));
  };
  if (value.is_none()) return numbers;
  if (PyIndex_Check(value.ptr()) && !PySequence_Check(value.ptr())) {
    add(value);
  } else {
    for (nb::handle item : nb::object(nb::borrow(value))) add(item);
  }
  return numbers;
}

bool is_count(nb::handle value) {
  return !is_sequence(value) && PyIndex_Check(value.ptr()) && !PySequence_Check(value.ptr());
}

nb::handle either(const Call& call, const char* name, const char* deprecated) {
  if (!call.has(deprecated)) return call[name];
  if (call.has(name)) value_error("Cannot specify both '", deprecated, "' and '", name, "'.");
  return call[deprecated];
}

Input input_from(nb::handle value, std::string_view name, DType dtype) {
  if (value.is_none()) value_error("None values not supported.");
  return input_of(value, dtype, "", name);
}

std::vector<Input> same_typed(nb::handle list, std::string_view name) {
  std::vector<Input> items;
  if (!is_sequence(list)) {
    items.push_back(input_from(list, name));
    return items;
  }
  for (nb::handle item : list) items.push_back(input_from(item, name));
  return items;
}

}  // namespace rill::python
