#pragma once

#include <nanobind/nanobind.h>

#include "objects.h"

namespace rill::python {

// The operators of Tensor (+ - * / ...), with the ops and names that TensorFlow makes for them.
void bind_operators(nb::class_<TensorObject>& c);

}  // namespace rill::python
