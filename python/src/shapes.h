#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "rill/tensor/shape.h"

namespace rill::python {

namespace nb = nanobind;

nb::object shape_object(const PartialShape& shape);  // a TensorShape
// What a TensorShape, None, an int or a sequence of ints, Dimensions and None stands for; raises
// TypeError or ValueError otherwise.
bool is_shape(nb::handle value);  // a TensorShape
PartialShape as_shape(nb::handle value);
std::string shape_text(const PartialShape& shape);  // "(2, ?)", "<unknown>"
nb::object shape_tuple(const PartialShape& shape);  // (2, None), or None when nothing is known

void bind_shapes(nb::module_& m);

}  // namespace rill::python
