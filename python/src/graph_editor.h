#pragma once

#include "objects.h"

namespace rill::python {

// tf.contrib.graph_editor: walks, copies and edges that are moved.
void bind_graph_editor(nb::module_& m);

}  // namespace rill::python
