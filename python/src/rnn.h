#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

namespace nb = nanobind;

// Cells and recurrent networks, under structures that Python takes apart and packs.
void bind_rnn(nb::module_& m);
void bind_rnn_cells(nb::module_& m);

}  // namespace rill::python
