#include "array_functions.h"
#include "dimensions.h"
#include "errors.h"
#include "inputs.h"
#include "plain_values.h"
#include "shapes.h"

namespace rill::python {
namespace {

// Of a list of sizes: int32, and int64 where one is too large for that.
DType size_type(nb::handle sizes) {
  for (nb::handle size : nb::object(nb::borrow(sizes)))
    if (PyLong_Check(size.ptr()) || is_dimension(size))
      if (!size.is_none() && integer_of(size) > INT32_MAX) return DType::i64;
  return DType::i32;
}

}  // namespace

ShapeInput shape_input(nb::handle value) {
  if (is_shape(value)) return as_shape(value).full();
  if (PyIter_Check(value.ptr()) || PyRange_Check(value.ptr())) return shape_input(nb::list(value));
  return input_of(value, is_sequence(value) ? size_type(value) : DType::invalid, "", "shape");
}

std::vector<std::int64_t> integers(nb::handle value) {
  std::vector<std::int64_t> numbers;
  if (value.is_none()) return numbers;
  if (PyNumber_Check(value.ptr()) != 0 && PySequence_Check(value.ptr()) == 0)
    return {integer_of(value)};
  for (nb::handle item : nb::object(nb::borrow(value))) numbers.push_back(integer_of(item));
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
