#pragma once

#include <nanobind/nanobind.h>

#include "numpy_api.h"
#include "rill/tensor/half.h"

namespace rill::python {

namespace nb = nanobind;

// bfloat16 as a type of NumPy: an element type of arrays that adds, compares and prints, and the
// class of its scalars. Arithmetic is done in float32 and rounded. Arrays of bfloat16 and of wider
// numbers have wider results, as with float16.

// One element as a Python object.
struct Bfloat16Scalar {
  PyObject_HEAD bfloat16 value;
};
// The class of scalars, made when it is first asked for; lives as long as the process.
PyTypeObject* bfloat16_class();
PyObject* new_bfloat16(float value);
// Whether `value` is a scalar of this class or a Python number, which then is in *number.
bool float_of_number(PyObject* value, float* number);

// Makes NumPy's functions take arrays of that element type. Throws what NumPy raises.
void register_bfloat16_functions(int type_number);

// Registers all of it with NumPy, once; a new reference.
PyArray_Descr* register_bfloat16();

}  // namespace rill::python
