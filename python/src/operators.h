#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "objects.h"
#include "rill/api/core/slicing.h"

namespace rill::python {

std::vector<SlicePart> slice_keys(nb::handle key);  // what stands between x[ and ]

// The operators of Tensor (+ - * / ...), with the ops and names that TensorFlow makes for them.
void bind_operators(nb::class_<TensorObject>& c);

}  // namespace rill::python
