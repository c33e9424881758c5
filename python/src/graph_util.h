#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// Functions of tf.graph_util; graphs cross as bytes.
void bind_graph_util(nanobind::module_& m);
void bind_graph_transforms(nanobind::module_& m);

}  // namespace rill::python
