#pragma once

#include <nanobind/nanobind.h>

#include "rill/tensor/tensor.h"

namespace rill::python {

// A capsule that lends the memory of a tensor.
nanobind::object dlpack_capsule(const Tensor& tensor);

void bind_dlpack(nanobind::module_& m);

}  // namespace rill::python
