#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "rill/tensor/tensor.h"

namespace rill::python {

// A constant without elements: its value, which is no array, is not looked at, so its type is
// float32 unless one is asked for. Nothing where `shape` is None or has elements.
std::optional<Tensor> empty_constant(nanobind::handle value, DType dtype, nanobind::handle shape);

// Values of tensors before anything runs, values as messages, and what the library is.
void bind_static_values(nanobind::module_& m);

}  // namespace rill::python
