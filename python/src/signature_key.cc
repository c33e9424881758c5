#include "signature_key.h"

#include <algorithm>

#include "call.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "objects.h"
#include "shapes.h"
#include "variables.h"

namespace rill::python {
namespace {

bool is_numpy(nb::handle value) {
  static PyObject* const types = [] {
    nb::object numpy = nb::module_::import_("numpy");
    return nb::make_tuple(numpy.attr("ndarray"), numpy.attr("generic")).release().ptr();
  }();
  if ((Py_TYPE(value.ptr())->tp_flags & Py_TPFLAGS_LONG_SUBCLASS) != 0) return false;
  return PyObject_IsInstance(value.ptr(), types) == 1;
}

}  // namespace

bool is_passed_as_tensor(nb::handle value) { return is_tensor(value) || is_numpy(value); }

std::vector<nb::object> ordered_keys(nb::handle dict) {
  std::vector<nb::object> keys;
  for (nb::handle key : nb::steal<nb::list>(PyMapping_Keys(dict.ptr())))
    keys.push_back(nb::borrow(key));
  const auto is_name = [](const nb::object& key) { return PyUnicode_Check(key.ptr()) != 0; };
  if (std::ranges::all_of(keys, is_name))
    std::ranges::sort(keys, [](const nb::object& a, const nb::object& b) {
      return PyUnicode_Compare(a.ptr(), b.ptr()) < 0;
    });
  return keys;
}

void SignatureKey::add_tensor(const Output& tensor) {
  put_kind(tensor.dtype(), tensor.shape());
  tensors.push_back(tensor);
}

void SignatureKey::add_described(nb::handle spec) {
  put_kind(as_dtype(spec.attr("dtype")), as_shape(spec.attr("shape")));
}

void SignatureKey::put_kind(DType dtype, const PartialShape& shape) {
  bytes_ += 'T';
  put(static_cast<int>(dtype));
  const int rank = shape.has_rank() ? shape.rank() : -1;
  put(rank);
  for (int d = 0; d < rank; ++d) put(shape[d]);
}

void SignatureKey::add_object(char kind, nb::handle value) {
  bytes_ += kind;
  put(value.ptr());
  objects.push_back(value);
}

void SignatureKey::add_items(char kind, nb::handle sequence) {
  bytes_ += kind;
  const nb::object items = nb::steal(PySequence_Fast(sequence.ptr(), "a sequence"));
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.ptr());
  put(count);
  for (Py_ssize_t i = 0; i < count; ++i) add(PySequence_Fast_GET_ITEM(items.ptr(), i));
}

void SignatureKey::add_dict(nb::handle dict) {
  const auto keys = ordered_keys(dict);
  bytes_ += 'd';
  put(Py_TYPE(dict.ptr()));
  put(keys.size());
  for (const nb::object& key : keys) {
    add(key);
    add(nb::steal(PyObject_GetItem(dict.ptr(), key.ptr())));
  }
}

// Numbers and texts, by their values.
bool SignatureKey::add_plain(nb::handle value) {
  if (value.is_none()) {
    bytes_ += 'N';
  } else if (PyBool_Check(value.ptr())) {
    bytes_ += value.ptr() == Py_True ? 'y' : 'n';
  } else if (PyFloat_CheckExact(value.ptr())) {
    bytes_ += 'f';
    put(PyFloat_AS_DOUBLE(value.ptr()));
  } else if (PyLong_CheckExact(value.ptr()) || PyComplex_CheckExact(value.ptr()) ||
             PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr())) {
    bytes_ += 'p';
    put(Py_TYPE(value.ptr()));
    const std::string text = PyUnicode_Check(value.ptr()) ? str_of(value) : repr_of(value);
    put(text.size());
    bytes_ += text;
  } else {
    return false;
  }
  return true;
}

void SignatureKey::add(nb::handle value) {
  if (is_tensor(value)) return add_tensor(tensor_object(value).output);
  if (add_plain(value)) return;
  if (PyTuple_Check(value.ptr()) || PyList_Check(value.ptr())) {
    bytes_ += PyList_Check(value.ptr()) ? 'l' : 't';
    put(Py_TYPE(value.ptr()));
    return add_items('(', value);
  }
  if (PyDict_Check(value.ptr())) return add_dict(value);
  if (is_variable(value)) return add_object('V', value);
  if (is_numpy(value)) return add_tensor(converted_tensor(value));
  if (is_composite(value)) {
    add_object('C', reinterpret_cast<PyObject*>(Py_TYPE(value.ptr())));
    return add_items('(', value.attr("_component_tensors"));
  }
  if (type_name_of(value) == "TensorSpec") return add_described(value);
  add_object('O', value);
}

void SignatureKey::add_call(nb::handle args, nb::handle kwargs) {
  add_items('a', args);
  if (PyDict_Size(kwargs.ptr()) > 0) add_dict(kwargs);
}

}  // namespace rill::python
