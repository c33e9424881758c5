#pragma once

namespace rill::python {

void bind_linalg_functions();

}  // namespace rill::python
