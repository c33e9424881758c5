#pragma once

// NumPy's C interface for the files that use it. Each translation unit has its own table of NumPy's
// functions, which init_numpy() fills before any is called.
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <nanobind/nanobind.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#include "rill/tensor/dtype.h"

namespace rill::python {

static inline bool import_numpy_table() {
  import_array1(false);
  return true;
}
static inline void fill_numpy_table() {
  if (!import_numpy_table()) throw nanobind::python_error();
}
// Fill the tables of from_numpy.cc and to_numpy.cc, which need not be that of numpy.cc.
void init_from_numpy();
void init_to_numpy();

inline PyArrayObject* numpy_array(const nanobind::object& o) {
  return reinterpret_cast<PyArrayObject*>(o.ptr());
}

PyArray_Descr* numpy_descr(DType dtype);     // a new reference, nullptr if there is none
DType dtype_of_descr(PyArray_Descr* descr);  // borrows
bool is_array(PyObject* value);

}  // namespace rill::python
