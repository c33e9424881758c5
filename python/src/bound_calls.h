#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// Bound functions take arguments as Python functions do: a flag by its truth value, NumPy's
// numbers, bytes for text, None for the default. They are called as they are first; only where
// that is refused are the arguments converted, and only what cannot be is an error, whose text
// names the function and the parameter and shows nothing of the binding.
//
// Called once, when everything of the module has been bound.
void take_arguments_as_python_does(nanobind::module_& m);

}  // namespace rill::python
