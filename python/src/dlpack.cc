#include "dlpack.h"

#include "rill/tensor/dlpack.h"

#include "call.h"
#include "dtypes.h"
#include "errors.h"
#include "numpy.h"
#include "objects.h"
#include "rill/api/core/default_graph.h"

namespace rill::python {
namespace {

namespace nb = nanobind;

constexpr const char* kUnused = "dltensor";
constexpr const char* kUsed = "used_dltensor";
constexpr const char* kVersionedUnused = "dltensor_versioned";
constexpr const char* kVersionedUsed = "used_dltensor_versioned";

// A capsule that nobody took still owns what it lends.
void delete_unused(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kUnused) == 0) return;
  auto* lent = static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule, kUnused));
  if (lent->deleter != nullptr) lent->deleter(lent);
}

nb::object to_capsule(nb::handle value) {
  if (Py_TYPE(value.ptr()) == eager_tensor_type)
    return dlpack_capsule(tensor_object(value).output.value());
  nb::object array = nb::module_::import_("numpy").attr("asarray")(value);
  return dlpack_capsule(tensor_from_feed(array, as_dtype(array.attr("dtype"))));
}

// An array; in eager execution a tensor.
nb::object taken(Tensor tensor) {
  if (executing_eagerly()) return give(current_scope().constant(std::move(tensor)));
  return numpy_view(std::move(tensor));
}

template <class Lent>
nb::object take_capsule(nb::handle capsule, const char* unused, const char* used) {
  auto* lent = static_cast<Lent*>(PyCapsule_GetPointer(capsule.ptr(), unused));
  Tensor tensor = from_dlpack(lent);
  PyCapsule_SetName(capsule.ptr(), used);
  return taken(std::move(tensor));
}

nb::object from_capsule(nb::object value) {
  if (nb::hasattr(value, "__dlpack__")) value = value.attr("__dlpack__")();
  if (PyCapsule_IsValid(value.ptr(), kVersionedUnused) != 0)
    return take_capsule<dlpack::ManagedTensorVersioned>(value, kVersionedUnused, kVersionedUsed);
  if (PyCapsule_IsValid(value.ptr(), kUnused) == 0)
    value_error("from_dlpack takes an object with __dlpack__ or an unused DLPack capsule, not ",
                repr_of(value));
  return take_capsule<dlpack::ManagedTensor>(value, kUnused, kUsed);
}

}  // namespace

nb::object dlpack_capsule(const Tensor& tensor) {
  PyObject* capsule = PyCapsule_New(to_dlpack(tensor), kUnused, delete_unused);
  if (capsule == nullptr) throw nb::python_error();
  return nb::steal(capsule);
}

void bind_dlpack(nb::module_& m) {
  m.def("to_dlpack", to_capsule, nb::arg("value"));
  m.def("from_dlpack", from_capsule, nb::arg("dlcapsule"));
}

}  // namespace rill::python
