// Tensors to NumPy arrays.
#include <cstring>
#include <memory>

#include "errors.h"
#include "numpy.h"
#include "numpy_api.h"
#include "rill/tensor/resource_handle.h"
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

// As TensorFlow gives them: the bytes that describe a handle, which identify it but cannot be used.
nb::object handle_bytes(const Tensor& tensor) {
  std::string bytes;
  for (const ResourceHandle& handle : tensor.flat<ResourceHandle>())
    for (const std::string* part :
         {&handle.device, &handle.container, &handle.name, &handle.type_name})
      bytes.append(*part).push_back('\0');
  nb::list fields;
  fields.append(nb::make_tuple("resource", "u1"));
  PyArray_Descr* descr = nullptr;
  if (PyArray_DescrConverter(fields.ptr(), &descr) == 0) throw nb::python_error();
  auto count = static_cast<npy_intp>(bytes.size());
  nb::object array = checked_reference(
      PyArray_NewFromDescr(&PyArray_Type, descr, 1, &count, nullptr, nullptr, 0, nullptr));
  std::memcpy(PyArray_DATA(numpy_array(array)), bytes.data(), bytes.size());
  return array;
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
  if (tensor.dtype() == DType::resource) return handle_bytes(tensor);
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
