#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "rill/tensor/dtype.h"

namespace rill::python {

namespace nb = nanobind;

nb::object dtype_object(DType dtype);  // the one Python object of this type
// The type that a DType, an enum number, a name, or a NumPy or Python type stands for; raises
// TypeError otherwise.
DType as_dtype(nb::handle value);
DType try_as_dtype(nb::handle value);  // DType::invalid instead of raising

std::string numpy_style_name(DType dtype);  // "float32", "string", "float32_ref"

void bind_dtypes(nb::module_& m);

}  // namespace rill::python
