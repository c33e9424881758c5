// Python values to tensors.
#include <algorithm>
#include <cstring>
#include <limits>

#include "dimensions.h"
#include "dtypes.h"
#include "errors.h"
#include "interpreter_lock.h"
#include "numpy.h"
#include "numpy_api.h"
#include "objects.h"
#include "rill/api/core/default_graph.h"
#include "shapes.h"

namespace rill::python {
namespace {

// Below this a copy costs less than a reference that must be given back.
constexpr std::size_t kMaxCopiedFeed = 512;

// numpy.asarray(value, dtype) with forced casts; `descr` (stolen) may be nullptr.
nb::object as_array(nb::handle value, PyArray_Descr* descr, int flags = 0) {
  PyObject* array = PyArray_FromAny(value.ptr(), descr, 0, 0, flags | NPY_ARRAY_FORCECAST, nullptr);
  if (array == nullptr) {
    nb::python_error error;
    const bool uneven = executing_eagerly() && error.matches(PyExc_ValueError) &&
                        str_of(error.value()).find("inhomogeneous") != std::string::npos;
    if (uneven) value_error("Can't convert non-rectangular Python sequence to Tensor.");
    throw error;
  }
  return nb::steal(array);
}

Shape array_shape(PyArrayObject* array) {
  Dims dims;
  for (int i = 0; i < PyArray_NDIM(array); ++i) dims.push_back(PyArray_DIM(array, i));
  return Shape(dims.span());
}

// --- strings -----------------------------------------------------------------------------------

std::string string_of(nb::handle value) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_Check(value.ptr())) {
    PyBytes_AsStringAndSize(value.ptr(), &data, &size);
    return std::string(data, static_cast<std::size_t>(size));
  }
  if (!PyUnicode_Check(value.ptr()))
    type_error("Expected binary or unicode string, got ", repr_of(value));
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (text == nullptr) throw nb::python_error();
  return std::string(text, static_cast<std::size_t>(size));
}

Tensor string_tensor(nb::handle value) {
  if (PyBytes_Check(value.ptr()) || PyUnicode_Check(value.ptr()))
    return Tensor::scalar(string_of(value));
  nb::object array = as_array(value, numpy_descr(DType::string), NPY_ARRAY_CARRAY_RO);
  Tensor tensor(DType::string, array_shape(numpy_array(array)));
  auto** items = static_cast<PyObject**>(PyArray_DATA(numpy_array(array)));
  for (std::string& element : tensor.flat<std::string>()) element = string_of(*items++);
  return tensor;
}

enum class ValueKind { boolean, integer, real, complex, string, tensor, other };

bool is_numpy_scalar(nb::handle h, PyTypeObject* type) {
  return PyObject_TypeCheck(h.ptr(), type) != 0;
}

ValueKind kind_of(nb::handle leaf) {
  PyObject* p = leaf.ptr();
  if (PyBool_Check(p) || is_numpy_scalar(leaf, &PyBoolArrType_Type)) return ValueKind::boolean;
  if (PyLong_Check(p) || is_numpy_scalar(leaf, &PyIntegerArrType_Type) || is_dimension(leaf))
    return ValueKind::integer;
  if (PyFloat_Check(p) || is_numpy_scalar(leaf, &PyFloatingArrType_Type)) return ValueKind::real;
  if (PyComplex_Check(p) || is_numpy_scalar(leaf, &PyComplexFloatingArrType_Type))
    return ValueKind::complex;
  if (PyUnicode_Check(p) || PyBytes_Check(p)) return ValueKind::string;
  return is_tensor(leaf) ? ValueKind::tensor : ValueKind::other;
}

// --- numbers -----------------------------------------------------------------------------------

Tensor copy_of(PyArrayObject* array, DType dtype) {
  Tensor tensor(dtype, array_shape(array));
  if (PyArray_ISCARRAY_RO(array)) {
    std::memcpy(tensor.raw_data(), PyArray_DATA(array), tensor.byte_size());
    return tensor;
  }
  Dims dims(tensor.shape().dims());
  PyArray_Descr* native = PyArray_DescrNewByteorder(PyArray_DESCR(array), NPY_NATIVE);
  nb::object target =
      nb::steal(PyArray_NewFromDescr(&PyArray_Type, native, dims.size(), dims.data(), nullptr,
                                     tensor.raw_data(), NPY_ARRAY_CARRAY, nullptr));
  if (!target.is_valid() || PyArray_CopyInto(numpy_array(target), array) != 0)
    throw nb::python_error();
  return tensor;
}

// Called from whichever thread lets the last tensor go.
void release_object(PyObject* object) {
  if_interpreter_lives([&] { Py_DECREF(object); });
}

Tensor borrowed(PyArrayObject* array, DType dtype) {
  auto* object = reinterpret_cast<PyObject*>(array);
  Py_INCREF(object);
  void* data = PyArray_DATA(array);
  BufferRef buffer(Buffer::borrow(
      data, static_cast<std::size_t>(PyArray_NBYTES(array)), [object] { release_object(object); },
      !PyArray_ISWRITEABLE(array)));
  return Tensor(dtype, array_shape(array), std::move(buffer), data);
}

Tensor array_tensor(PyArrayObject* array, DType dtype, bool may_borrow) {
  if (!may_borrow || static_cast<std::size_t>(PyArray_NBYTES(array)) <= kMaxCopiedFeed ||
      !PyArray_ISCARRAY_RO(array))
    return copy_of(array, dtype);
  return borrowed(array, dtype);
}

// bfloat16 from whatever NumPy can make floats of.
Tensor bfloat16_tensor(nb::handle value) {
  nb::object floats = as_array(value, numpy_descr(DType::f32), NPY_ARRAY_CARRAY_RO);
  Tensor tensor(DType::bf16, array_shape(numpy_array(floats)));
  const auto* src = static_cast<const float*>(PyArray_DATA(numpy_array(floats)));
  for (bfloat16& element : tensor.flat<bfloat16>()) element = bfloat16(*src++);
  return tensor;
}

// Python integers that do not fit wrap around, as TensorFlow lets them; NumPy warns of that unless
// it is done in two steps.
nb::object as_array_of(nb::handle value, DType dtype) {
  const bool is_narrow = kIntTypes.contains(dtype) && element_size(dtype) < sizeof(std::int64_t);
  if (!is_narrow || is_array(value.ptr()) || kind_of(value) == ValueKind::boolean)
    return as_array(value, numpy_descr(dtype));
  return as_array(as_array(value, numpy_descr(DType::i64)), numpy_descr(dtype));
}

// Anything NumPy converts to `dtype`, which is not a string.
Tensor cast_tensor(nb::handle value, DType dtype, bool may_borrow) {
  const bool is_same =
      is_array(value.ptr()) &&
      dtype_of_descr(PyArray_DESCR(reinterpret_cast<PyArrayObject*>(value.ptr()))) == dtype;
  if (dtype == DType::bf16 && !is_same) return bfloat16_tensor(value);
  nb::object array = is_same ? nb::borrow(value) : as_array_of(value, dtype);
  return array_tensor(numpy_array(array), dtype, may_borrow);
}

// Integers up to here are exact in every type that quick_scalar knows, or visibly changed by it.
constexpr long long kExactInt = 1LL << 53;

template <class T>
bool set_scalar(nb::handle value, Tensor* tensor) {
  *tensor = Tensor(dtype_of<T>, Shape());
  if (PyFloat_CheckExact(value.ptr())) {
    *tensor->data<T>() = static_cast<T>(PyFloat_AS_DOUBLE(value.ptr()));
    return true;
  }
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow != 0 || number > kExactInt || number < -kExactInt) return false;
  *tensor->data<T>() = static_cast<T>(number);
  return static_cast<long long>(*tensor->data<T>()) == number;
}

// A Python int or float as one of the usual types; false where NumPy must decide.
bool quick_scalar(nb::handle value, DType dtype, Tensor* tensor) {
  const bool is_float = PyFloat_CheckExact(value.ptr());
  if (!is_float && !PyLong_CheckExact(value.ptr())) return false;
  if (dtype == DType::f32) return set_scalar<float>(value, tensor);
  if (dtype == DType::f64) return set_scalar<double>(value, tensor);
  if (is_float) return false;
  if (dtype == DType::i32) return set_scalar<std::int32_t>(value, tensor);
  return dtype == DType::i64 && set_scalar<std::int64_t>(value, tensor);
}

// --- constants ---------------------------------------------------------------------------------

bool fits(nb::handle leaf, DType wanted) {
  const ValueKind kind = kind_of(leaf);
  const bool python_bool = kind == ValueKind::boolean && PyBool_Check(leaf.ptr());
  if (kind == ValueKind::tensor) return false;
  if (wanted == DType::string) return kind == ValueKind::string;
  if (wanted == DType::boolean) return kind == ValueKind::boolean;
  if (kQuantizedTypes.contains(wanted)) return false;
  if (kind == ValueKind::string) return false;
  if (kind == ValueKind::integer || python_bool) return true;
  if (kIntTypes.contains(wanted)) return kind == ValueKind::other && PyIndex_Check(leaf.ptr());
  if (kFloatTypes.contains(wanted)) return kind == ValueKind::real || kind == ValueKind::boolean;
  return kind != ValueKind::other;
}

// Raises TypeError at the first element of a nested list that must not become `wanted`.
void check_fits(nb::handle value, DType wanted) {
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
    for (nb::handle item : value) check_fits(item, wanted);
    return;
  }
  if (is_array(value.ptr()) || fits(value, wanted)) return;
  if (kind_of(value) == ValueKind::other && nb::hasattr(value, "__array__")) return;
  type_error("Expected ", numpy_style_name(wanted), ", got ", repr_of(value), " of type '",
             type_name_of(value), "' instead.");
}

bool contains_tensor(nb::handle value) {
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) return is_tensor(value);
  for (nb::handle item : value)
    if (contains_tensor(item)) return true;
  return false;
}

[[noreturn]] void cannot_convert(nb::handle value) {
  type_error("Failed to convert object of type ", repr_of(value.type()),
             " to Tensor. Contents: ", str_of(value),
             ". Consider casting elements to a supported type.");
}

// TensorFlow prefers 32 bits to NumPy's 64 where the values come from Python.
DType preferred(PyArrayObject* array) {
  const DType dtype = dtype_of_descr(PyArray_DESCR(array));
  if (dtype == DType::f64) return DType::f32;
  if (dtype != DType::i64 || !PyArray_ISCARRAY_RO(array)) return dtype;
  const auto* data = static_cast<const std::int64_t*>(PyArray_DATA(array));
  for (npy_intp i = 0; i < PyArray_SIZE(array); ++i)
    if (data[i] != static_cast<std::int32_t>(data[i])) return DType::i64;
  return DType::i32;
}

Tensor tensor_from_any(nb::handle value) {
  nb::object array = as_array(value, nullptr);
  const DType natural = dtype_of_descr(PyArray_DESCR(numpy_array(array)));
  if (natural == DType::invalid) cannot_convert(value);
  if (natural == DType::string) {
    if (PyArray_TYPE(numpy_array(array)) != NPY_OBJECT) return string_tensor(value);
    try {
      return string_tensor(array);
    } catch (nb::python_error&) {
      cannot_convert(value);
    }
  }
  return cast_tensor(array, preferred(numpy_array(array)), false);
}

// No value of Python is a handle: its bits must not be taken for one.
void refuse_handles(nb::handle value, DType wanted) {
  if (wanted == DType::resource || wanted == DType::variant)
    type_error("`dtype` <dtype: '", numpy_style_name(wanted), "'> is not compatible with ",
               str_of(value), ".");
}

// Arrays keep their type; a wanted one is cast to without questions, as numpy.astype does.
Tensor tensor_from_numpy(nb::handle value, DType wanted) {
  if (wanted == DType::invalid) {
    wanted = is_array(value.ptr())
                 ? dtype_of_descr(PyArray_DESCR(reinterpret_cast<PyArrayObject*>(value.ptr())))
                 : dtype_of_numpy(value.type());
    if (wanted == DType::invalid)
      type_error("Cannot convert value ", repr_of(value.attr("dtype")), " to a TensorFlow DType.");
  }
  return wanted == DType::string ? string_tensor(value) : cast_tensor(value, wanted, false);
}

Tensor tensor_from_shape(const PartialShape& shape, DType wanted) {
  if (!shape.is_full())
    value_error("Cannot convert a partially known TensorShape ", shape_text(shape),
                " to a Tensor.");
  const bool is_large =
      std::ranges::any_of(shape.dims(), [](std::int64_t d) { return d > INT32_MAX; });
  const DType own = is_large ? DType::i64 : DType::i32;
  return tensor_from_value(nb::list(shape_tuple(shape)), wanted == DType::invalid ? own : wanted);
}

// --- feeds -------------------------------------------------------------------------------------

template <class T>
bool in_range(nb::handle value) {
  nb::object low = nb::int_(std::numeric_limits<T>::min());
  nb::object high = nb::int_(std::numeric_limits<T>::max());
  return nb::object(nb::borrow(value)) >= low && nb::object(nb::borrow(value)) <= high;
}

bool int_fits(nb::handle value, DType wanted) {
  switch (wanted) {
    case DType::i8:
      return in_range<std::int8_t>(value);
    case DType::u8:
      return in_range<std::uint8_t>(value);
    case DType::i16:
      return in_range<std::int16_t>(value);
    case DType::u16:
      return in_range<std::uint16_t>(value);
    case DType::i32:
      return in_range<std::int32_t>(value);
    case DType::u32:
      return in_range<std::uint32_t>(value);
    case DType::i64:
      return in_range<std::int64_t>(value);
    case DType::u64:
      return in_range<std::uint64_t>(value);
    default:
      return wanted == DType::bf16 || numpy_dtype(wanted).attr("type")(value).equal(value);
  }
}

// TensorFlow refuses Python ints that the placeholder's type would change.
void check_int_feed(nb::handle value, DType wanted) {
  if (!PyLong_Check(value.ptr()) || !(kNumberTypes.contains(wanted))) return;
  if (int_fits(value, wanted)) return;
  type_error("Type of feed value ", str_of(value), " with type ", repr_of(value.type()),
             " is not compatible with Tensor type ", repr_of(numpy_dtype(wanted).attr("type")),
             ". Try explicitly setting the type of the feed tensor to a larger type (e.g. int64).");
}

}  // namespace

void init_from_numpy() { fill_numpy_table(); }

Tensor tensor_from_value(nb::handle value, DType wanted) {
  wanted = base_type(wanted);
  if (value.is_none()) value_error("None values not supported.");
  if (PyRange_Check(value.ptr())) return tensor_from_value(nb::list(value), wanted);
  refuse_handles(value, wanted);
  Tensor quick;
  const DType plain = PyFloat_CheckExact(value.ptr()) ? DType::f32 : DType::i32;
  const bool is_cut = PyFloat_CheckExact(value.ptr()) && kIntTypes.contains(wanted);
  if (!is_cut && quick_scalar(value, wanted == DType::invalid ? plain : wanted, &quick))
    return quick;
  if (is_array(value.ptr()) || is_numpy_scalar(value, &PyGenericArrType_Type))
    return tensor_from_numpy(value, wanted);
  if (nb::hasattr(value, "num_elements")) return tensor_from_shape(as_shape(value), wanted);
  if (contains_tensor(value)) {
    if (wanted == DType::invalid)
      type_error("Expected any non-tensor type, but got a tensor instead.");
    check_fits(value, wanted);
  }
  if (is_dimension(value)) {
    const std::int64_t size = as_dimension(value);
    if (size < 0) value_error("Cannot convert unknown Dimension ? to a Tensor.");
    return tensor_from_value(nb::int_(size), wanted);
  }
  if (wanted == DType::invalid) return tensor_from_any(value);
  check_fits(value, wanted);
  return wanted == DType::string ? string_tensor(value) : cast_tensor(value, wanted, false);
}

Tensor tensor_from_feed(nb::handle value, DType wanted) {
  wanted = base_type(wanted);
  if (wanted == DType::string) return string_tensor(value);
  if (!is_trivial(wanted))
    type_error("a tensor of type ", numpy_style_name(wanted), " cannot be fed from Python");
  Tensor quick;
  if (!PyFloat_CheckExact(value.ptr()) || kFloatTypes.contains(wanted))
    if (quick_scalar(value, wanted, &quick)) return quick;
  check_int_feed(value, wanted);
  return cast_tensor(value, wanted, true);
}

nb::object numpy_from_feed(nb::handle value, DType dtype) {
  return as_array(value, numpy_descr(dtype));
}

}  // namespace rill::python
