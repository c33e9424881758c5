#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

// Whether Python counts a value as true. Throws what its __bool__ raises, as arrays and tensors do.
inline bool truth_of(nanobind::handle value) {
  const int truth = PyObject_IsTrue(value.ptr());
  if (truth < 0) throw nanobind::python_error();
  return truth == 1;
}

}  // namespace rill::python
