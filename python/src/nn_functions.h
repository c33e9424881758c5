#pragma once

namespace rill::python {

void bind_nn_functions();

}  // namespace rill::python
