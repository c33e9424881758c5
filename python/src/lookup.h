#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// tf.lookup, and the tables of tf.contrib.lookup.
void bind_lookup(nanobind::module_& m);

}  // namespace rill::python
