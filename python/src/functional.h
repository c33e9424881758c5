#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// map_fn, foldl, foldr and scan on flat lists of tensors; rill/_functional.py packs structures.
void bind_functional(nanobind::module_& m);

}  // namespace rill::python
