#pragma once

#include <nanobind/nanobind.h>

#include "objects.h"

namespace rill::python {

// The operators of Tensor (+ - * / ...), with the ops and names that TensorFlow makes for them.
void bind_operators(nb::class_<TensorObject>& c);

// tf.matmul for two tensors or values.
nb::object matmul(nb::handle a, nb::handle b, bool transpose_a, bool transpose_b,
                  const std::string& name);

}  // namespace rill::python
