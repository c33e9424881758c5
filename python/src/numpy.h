#pragma once

#include <nanobind/nanobind.h>

#include "rill/tensor/tensor.h"

namespace rill::python {

namespace nb = nanobind;

// The numpy.dtype of a type's elements; invalid for resource and variant. Quantised types, and
// bfloat16 where ml_dtypes is not installed, are one-field structures over their storage.
nb::object numpy_dtype(DType dtype);
// The type that a numpy.dtype or a NumPy scalar class stands for, else DType::invalid.
DType dtype_of_numpy(nb::handle value);

// A value as tf.constant takes it: `wanted` is DType::invalid when any type will do. Copies.
// Raises TypeError or ValueError as TensorFlow does.
Tensor tensor_from_value(nb::handle value, DType wanted);

// A value as feed_dict takes it. Arrays that are contiguous, aligned and of type `wanted` are
// borrowed, not copied; they are let go when the last tensor over them dies.
Tensor tensor_from_feed(nb::handle value, DType wanted);

// Takes over the tensor's storage; nobody else may see it. Scalars become NumPy scalars (or bytes),
// quantised elements plain integers.
nb::object numpy_from_tensor(Tensor tensor);

// An array over storage that others may see as well; not for strings. Read-only where that is.
nb::object numpy_view(Tensor tensor);

// An array over the elements of a fed value, as a run that also fetches it returns it.
nb::object numpy_from_feed(nb::handle value, DType dtype);

void init_numpy();

}  // namespace rill::python
