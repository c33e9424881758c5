// The element type bfloat16 of NumPy's arrays: access, order and conversions of elements.
#include "numpy_bfloat16.h"

#include <algorithm>
#include <complex>
#include <cstring>

#if NPY_ABI_VERSION < 0x02000000
#define PyArray_DescrProto PyArray_Descr  // its name since NumPy 2
#endif

namespace rill::python {
namespace {

float read_element(const void* at) {
  bfloat16 value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<float>(value);
}

PyObject* get_item(void* data, void*) { return new_bfloat16(read_element(data)); }

int set_item(PyObject* item, void* data, void*) {
  float number;
  if (!float_of_number(item, &number)) {
    const double wide = PyFloat_AsDouble(item);
    if (wide == -1 && PyErr_Occurred() != nullptr) return -1;
    number = static_cast<float>(wide);
  }
  const bfloat16 value(number);
  std::memcpy(data, &value, sizeof value);
  return 0;
}

int compare_elements(const void* a, const void* b, void*) {
  const float x = read_element(a), y = read_element(b);
  if (x < y || (y != y && x == x)) return -1;  // what is no number comes last
  return y < x || (x != x && y == y) ? 1 : 0;
}

void copy_element(void* to, void* from, int swaps, void*) {
  if (from != nullptr) std::memcpy(to, from, sizeof(bfloat16));
  if (swaps) std::swap(static_cast<char*>(to)[0], static_cast<char*>(to)[1]);
}

void copy_elements_with_steps(void* to, npy_intp to_step, void* from, npy_intp from_step,
                              npy_intp count, int swaps, void* array) {
  for (npy_intp i = 0; i < count; ++i)
    copy_element(static_cast<char*>(to) + i * to_step,
                 from == nullptr ? nullptr : static_cast<char*>(from) + i * from_step, swaps,
                 array);
}

npy_bool is_nonzero(void* data, void*) { return read_element(data) != 0; }

// The rest of an arithmetic sequence whose first two elements are there: numpy.arange.
int fill_sequence(void* data, npy_intp count, void*) {
  auto* to = static_cast<bfloat16*>(data);
  const float start = static_cast<float>(to[0]), step = static_cast<float>(to[1]) - start;
  for (npy_intp i = 2; i < count; ++i) to[i] = bfloat16(start + static_cast<float>(i) * step);
  return 0;
}

void dot_elements(void* a, npy_intp a_step, void* b, npy_intp b_step, void* out, npy_intp count,
                  void*) {
  float sum = 0;
  for (npy_intp i = 0; i < count; ++i)
    sum += read_element(static_cast<char*>(a) + i * a_step) *
           read_element(static_cast<char*>(b) + i * b_step);
  *static_cast<bfloat16*>(out) = bfloat16(sum);
}

// Where the first largest is, or the first that is no number.
template <bool smallest>
int find_extreme(void* data, npy_intp count, npy_intp* at, void*) {
  const auto* elements = static_cast<const bfloat16*>(data);
  *at = 0;
  for (npy_intp i = 0; i < count; ++i) {
    const float x = static_cast<float>(elements[i]), best = static_cast<float>(elements[*at]);
    if (best != best) break;
    if (x != x || (smallest ? x < best : x > best)) *at = i;
  }
  return 0;
}

// --- conversions ---------------------------------------------------------------------------------

template <class T>
void cast_from(void* from, void* to, npy_intp count, void*, void*) {
  const auto* x = static_cast<const T*>(from);
  for (npy_intp i = 0; i < count; ++i)
    static_cast<bfloat16*>(to)[i] = bfloat16(static_cast<float>(x[i]));
}
template <class T>
void cast_to(void* from, void* to, npy_intp count, void*, void*) {
  const auto* x = static_cast<const bfloat16*>(from);
  for (npy_intp i = 0; i < count; ++i)
    static_cast<T*>(to)[i] = static_cast<T>(static_cast<float>(x[i]));
}
template <class T>
void cast_from_complex(void* from, void* to, npy_intp count, void*, void*) {
  const auto* x = static_cast<const std::complex<T>*>(from);
  for (npy_intp i = 0; i < count; ++i)
    static_cast<bfloat16*>(to)[i] = bfloat16(static_cast<float>(x[i].real()));
}

struct Bfloat16Casts {
  PyArray_Descr* own;

  void add(int other, PyArray_VectorUnaryFunc* from, PyArray_VectorUnaryFunc* to) {
    PyArray_Descr* descr = PyArray_DescrFromType(other);
    if (PyArray_RegisterCastFunc(descr, own->type_num, from) < 0 ||
        PyArray_RegisterCastFunc(own, other, to) < 0)
      throw nb::python_error();
    Py_DECREF(descr);
  }
  template <class T>
  void number(int other) {
    add(other, cast_from<T>, cast_to<T>);
  }
  template <class T>
  void complex(int other) {
    add(other, cast_from_complex<T>, cast_to<std::complex<T>>);
  }
  void widens_to(int other) {
    if (PyArray_RegisterCanCast(own, other, NPY_NOSCALAR) < 0) throw nb::python_error();
  }
  void takes(int other) {
    PyArray_Descr* descr = PyArray_DescrFromType(other);
    if (PyArray_RegisterCanCast(descr, own->type_num, NPY_NOSCALAR) < 0) throw nb::python_error();
    Py_DECREF(descr);
  }
};

void register_casts(PyArray_Descr* own) {
  Bfloat16Casts casts{own};
  casts.number<half>(NPY_HALF);
  casts.number<float>(NPY_FLOAT);
  casts.number<double>(NPY_DOUBLE);
  casts.number<long double>(NPY_LONGDOUBLE);
  casts.number<bool>(NPY_BOOL);
  casts.number<signed char>(NPY_BYTE);
  casts.number<unsigned char>(NPY_UBYTE);
  casts.number<short>(NPY_SHORT);
  casts.number<unsigned short>(NPY_USHORT);
  casts.number<int>(NPY_INT);
  casts.number<unsigned>(NPY_UINT);
  casts.number<long>(NPY_LONG);
  casts.number<unsigned long>(NPY_ULONG);
  casts.number<long long>(NPY_LONGLONG);
  casts.number<unsigned long long>(NPY_ULONGLONG);
  casts.complex<float>(NPY_CFLOAT);
  casts.complex<double>(NPY_CDOUBLE);
  casts.complex<long double>(NPY_CLONGDOUBLE);
  for (const int wide :
       {NPY_FLOAT, NPY_DOUBLE, NPY_LONGDOUBLE, NPY_CFLOAT, NPY_CDOUBLE, NPY_CLONGDOUBLE})
    casts.widens_to(wide);
  for (const int narrow : {NPY_BOOL, NPY_BYTE, NPY_UBYTE}) casts.takes(narrow);
}

}  // namespace

PyArray_Descr* register_bfloat16() {
  fill_numpy_table();
  static PyArray_ArrFuncs functions;
  PyArray_InitArrFuncs(&functions);
  functions.getitem = get_item;
  functions.setitem = set_item;
  functions.compare = compare_elements;
  functions.copyswap = copy_element;
  functions.copyswapn = copy_elements_with_steps;
  functions.nonzero = is_nonzero;
  functions.fill = fill_sequence;
  functions.dotfunc = dot_elements;
  functions.argmax = find_extreme<false>;
  functions.argmin = find_extreme<true>;
  static PyArray_DescrProto proto{};
  Py_SET_TYPE(reinterpret_cast<PyObject*>(&proto), &PyArrayDescr_Type);
  proto.typeobj = bfloat16_class();
  // Of no known kind: with 'f' NumPy would take it for the float16 of the same size.
  proto.kind = 'V';
  proto.type = 'E';
  proto.byteorder = '=';
  proto.flags = NPY_NEEDS_PYAPI | NPY_USE_GETITEM | NPY_USE_SETITEM;
  proto.elsize = sizeof(bfloat16);
  proto.alignment = alignof(bfloat16);
  proto.f = &functions;
  proto.hash = -1;
  const int number = PyArray_RegisterDataType(&proto);
  if (number < 0) throw nb::python_error();
  PyArray_Descr* descr = PyArray_DescrFromType(number);
  nb::object type = nb::borrow(reinterpret_cast<PyObject*>(bfloat16_class()));
  type.attr("dtype") = nb::borrow(reinterpret_cast<PyObject*>(descr));
  register_casts(descr);
  register_bfloat16_functions(number);
  nb::object(nb::module_::import_("numpy").attr("sctypeDict"))["bfloat16"] = type;
  return descr;
}

}  // namespace rill::python
