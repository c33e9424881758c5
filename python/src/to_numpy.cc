// Tensors to NumPy arrays.
#include <cstring>
#include <memory>

#include "errors.h"
#include "numpy.h"
#include "numpy_api.h"
#include "rill/tensor/storage_type.h"

namespace rill::python {
namespace {

// Below this a copy into memory of NumPy's own is cheaper than an owner object.
constexpr std::size_t kMaxCopiedResult = 256;  // bytes

nb::object checked_reference(PyObject* object) {
  if (object == nullptr) throw nb::python_error();
  return nb::steal(object);
}

nb::object new_array(const Tensor& tensor, void* data) {
  Dims dims(tensor.shape().dims());
  if (dims.size() > NPY_MAXDIMS)
    value_error("a tensor of rank ", dims.size(), " exceeds NumPy's limit of ", NPY_MAXDIMS);
  const int flags = data == nullptr ? 0 : NPY_ARRAY_CARRAY;
  return checked_reference(PyArray_NewFromDescr(
      &PyArray_Type, numpy_descr(storage_type(tensor.dtype())), dims.size(),
      reinterpret_cast<npy_intp*>(dims.data()), nullptr, data, flags, nullptr));
}

nb::object strings_of(const Tensor& tensor) {
  if (tensor.rank() == 0) return bytes_object(tensor.scalar_value<std::string>());
  nb::object array = new_array(tensor, nullptr);
  auto** items = static_cast<PyObject**>(PyArray_DATA(numpy_array(array)));
  for (const std::string& element : tensor.flat<std::string>()) {
    Py_XDECREF(*items);  // new object arrays hold None or nothing
    *items++ = bytes_object(element).release().ptr();
  }
  return array;
}

nb::object scalar_of(const Tensor& tensor) {
  PyArray_Descr* descr = numpy_descr(storage_type(tensor.dtype()));
  PyObject* scalar = PyArray_Scalar(tensor.raw_data(), descr, nullptr);
  Py_DECREF(descr);
  return checked_reference(scalar);
}

nb::object owning_array(Tensor tensor) {
  nb::object array = new_array(tensor, tensor.raw_data());
  auto owner = std::make_unique<Tensor>(std::move(tensor));
  nb::capsule base(owner.get(), [](void* p) noexcept { delete static_cast<Tensor*>(p); });
  owner.release();
  if (PyArray_SetBaseObject(numpy_array(array), base.release().ptr()) != 0)
    throw nb::python_error();
  return array;
}

}  // namespace

void init_to_numpy() { fill_numpy_table(); }

nb::object numpy_view(Tensor tensor) {
  const bool read_only = tensor.buffer()->read_only();
  nb::object array = owning_array(std::move(tensor));
  if (read_only) PyArray_CLEARFLAGS(numpy_array(array), NPY_ARRAY_WRITEABLE);
  return array;
}

nb::object numpy_from_tensor(Tensor tensor) {
  if (tensor.dtype() == DType::string) return strings_of(tensor);
  if (!is_trivial(tensor.dtype()))
    raise(Code::kInvalidArgument, "a tensor of type ", tensor.dtype(),
          " cannot be fetched as a NumPy array");
  if (tensor.rank() == 0) return scalar_of(tensor);
  if (tensor.byte_size() > kMaxCopiedResult) return owning_array(std::move(tensor));
  nb::object array = new_array(tensor, nullptr);
  std::memcpy(PyArray_DATA(numpy_array(array)), tensor.raw_data(), tensor.byte_size());
  return array;
}

}  // namespace rill::python
