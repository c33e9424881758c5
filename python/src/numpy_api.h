#pragma once

// NumPy's C interface for the files that use it; numpy.cc fills its table.
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL rill_numpy_api
#ifndef RILL_IMPORT_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <Python.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#include "rill/tensor/dtype.h"

namespace rill::python {

PyArray_Descr* numpy_descr(DType dtype);     // a new reference, nullptr if there is none
DType dtype_of_descr(PyArray_Descr* descr);  // borrows
bool is_array(PyObject* value);

}  // namespace rill::python
