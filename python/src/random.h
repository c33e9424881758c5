#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// tf.set_random_seed, tf.random_uniform and the other functions that make random tensors.
void bind_random();

}  // namespace rill::python
