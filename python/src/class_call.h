#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "call.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "plain_values.h"
#include "shapes.h"

namespace rill::python {

// What methods of bound classes need to take Python's arguments and make nodes.

// What `build` makes where the program stands, in the graph of the tensors among `arguments`.
template <class Build>
nb::object built(const std::vector<nb::object>& arguments, Build build) {
  std::vector<PyObject*> values;
  for (const nb::object& argument : arguments) values.push_back(argument.ptr());
  const InCallersPlace place(values);
  return building([&] { return give(build()); });
}

inline std::string text_or_empty(nb::handle text) { return text.is_none() ? "" : text_of(text); }

// None: no number.
template <class T>
std::optional<T> optional_number(nb::handle value) {
  if (value.is_none()) return {};
  return plain_value<T>(value);
}

inline std::vector<std::string> text_list(nb::handle texts) {
  std::vector<std::string> list;
  for (nb::handle text : texts) list.push_back(text_of(text));
  return list;
}

inline std::vector<Input> input_list(nb::handle values, const char* name) {
  std::vector<Input> inputs;
  for (nb::handle value : values) inputs.push_back(input_of(value, DType::invalid, "", name));
  return inputs;
}

// One or several types; shapes likewise.
inline std::vector<DType> dtype_list(nb::handle dtypes) {
  if (!is_sequence(dtypes)) return {base_type(as_dtype(dtypes))};
  std::vector<DType> list;
  for (nb::handle dtype : dtypes) list.push_back(base_type(as_dtype(dtype)));
  return list;
}

inline std::vector<PartialShape> shape_list(nb::handle shapes) {
  if (shapes.is_none()) return {};
  if (!is_sequence(shapes)) return {as_shape(shapes)};
  std::vector<PartialShape> list;
  for (nb::handle shape : shapes) list.push_back(as_shape(shape));
  return list;
}

inline nb::list dtype_objects(const std::vector<DType>& dtypes) {
  nb::list list;
  for (const DType dtype : dtypes) list.append(dtype_object(dtype));
  return list;
}

inline nb::list shape_objects(const std::vector<PartialShape>& shapes) {
  nb::list list;
  for (const PartialShape& shape : shapes) list.append(shape_object(shape));
  return list;
}

}  // namespace rill::python
