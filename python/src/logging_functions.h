#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// tf.print, tf.Print, tf.timestamp.
void bind_logging(nanobind::module_& m);

}  // namespace rill::python
