#pragma once

#include <nanobind/nanobind.h>

#include "rill/graph/op.h"

namespace rill::python {

namespace nb = nanobind;

// A Python value as an attribute of this kind; raises TypeError ("Expected int for argument ...").
AttrValue attr_from_python(const AttrSpec& spec, nb::handle value);
// As Operation.get_attr gives it: strings as bytes, types as DType, shapes and tensors as messages.
nb::object python_attr(const AttrValue& value);
// As a default in a signature.
nb::object python_default(const AttrValue& value);

}  // namespace rill::python
