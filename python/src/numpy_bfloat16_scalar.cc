// The scalars of bfloat16: Python's number protocol.
#include <cmath>
#include <cstdio>

#include "numpy_bfloat16.h"

namespace rill::python {
namespace {

float scalar_value(PyObject* self) {
  return static_cast<float>(reinterpret_cast<Bfloat16Scalar*>(self)->value);
}

// With anything but plain numbers NumPy decides, which knows how types go together.
template <float (*f)(float, float), binaryfunc PyNumberMethods::*numpys>
PyObject* scalar_binary(PyObject* a, PyObject* b) {
  float x, y;
  if (float_of_number(a, &x) && float_of_number(b, &y)) return new_bfloat16(f(x, y));
  return (PyArray_Type.tp_as_number->*numpys)(a, b);
}

float sum_of(float a, float b) { return a + b; }
float difference_of(float a, float b) { return a - b; }
float product_of(float a, float b) { return a * b; }
float quotient_of(float a, float b) { return a / b; }
float floor_of_quotient(float a, float b) { return std::floor(a / b); }
float remainder_of(float a, float b) {
  const float rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
PyObject* scalar_power(PyObject* a, PyObject* b, PyObject*) {
  float x, y;
  if (float_of_number(a, &x) && float_of_number(b, &y)) return new_bfloat16(std::pow(x, y));
  return PyArray_Type.tp_as_number->nb_power(a, b, Py_None);
}

PyObject* scalar_negative(PyObject* self) { return new_bfloat16(-scalar_value(self)); }
PyObject* scalar_positive(PyObject* self) { return new_bfloat16(scalar_value(self)); }
PyObject* scalar_absolute(PyObject* self) { return new_bfloat16(std::fabs(scalar_value(self))); }
int scalar_truth(PyObject* self) { return scalar_value(self) != 0; }
PyObject* scalar_float(PyObject* self) {
  return PyFloat_FromDouble(static_cast<double>(scalar_value(self)));
}
PyObject* scalar_int(PyObject* self) {
  return PyLong_FromDouble(static_cast<double>(scalar_value(self)));
}

PyObject* scalar_text(PyObject* self) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(scalar_value(self)));
  return PyUnicode_FromString(text);
}

Py_hash_t scalar_hash(PyObject* self) {
  PyObject* number = scalar_float(self);
  const Py_hash_t hash = number == nullptr ? -1 : PyObject_Hash(number);
  Py_XDECREF(number);
  return hash;
}

PyObject* scalar_compare(PyObject* a, PyObject* b, int how) {
  float x, y;
  if (!float_of_number(a, &x) || !float_of_number(b, &y))
    return PyGenericArrType_Type.tp_richcompare(a, b, how);
  const auto truth = [](bool value) { return PyBool_FromLong(value); };
  switch (how) {
    case Py_LT:
      return truth(x < y);
    case Py_LE:
      return truth(x <= y);
    case Py_EQ:
      return truth(x == y);
    case Py_NE:
      return truth(x != y);
    case Py_GT:
      return truth(x > y);
    default:
      return truth(x >= y);
  }
}

PyObject* scalar_new(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* given = nullptr;
  if (keywords != nullptr && PyDict_Size(keywords) != 0) {
    PyErr_SetString(PyExc_TypeError, "constructor takes no keyword arguments");
    return nullptr;
  }
  if (!PyArg_ParseTuple(arguments, "O:bfloat16", &given)) return nullptr;
  float number;
  if (float_of_number(given, &number)) return new_bfloat16(number);
  if (PyArray_Check(given))
    return PyArray_CastToType(
        reinterpret_cast<PyArrayObject*>(given),
        PyArray_DescrFromTypeObject(reinterpret_cast<PyObject*>(bfloat16_class())), 0);
  const double converted = PyUnicode_Check(given) || PyBytes_Check(given)
                               ? [&] {
                                   PyObject* parsed = PyFloat_FromString(given);
                                   const double v = parsed ? PyFloat_AsDouble(parsed) : -1;
                                   Py_XDECREF(parsed);
                                   return v;
                                 }()
                               : PyFloat_AsDouble(given);
  if (converted == -1 && PyErr_Occurred() != nullptr) return nullptr;
  return new_bfloat16(static_cast<float>(converted));
}

void* type_slot(auto* f) { return reinterpret_cast<void*>(f); }

}  // namespace

PyTypeObject* bfloat16_class() {
  static PyTypeObject* const made = [] {
    fill_numpy_table();
    using N = PyNumberMethods;
    PyType_Slot slots[] = {
        {Py_tp_base, &PyGenericArrType_Type},
        {Py_tp_doc, const_cast<char*>("A floating-point number of 16 bits, 8 of them exponent.")},
        {Py_tp_new, type_slot(scalar_new)},
        {Py_tp_repr, type_slot(scalar_text)},
        {Py_tp_str, type_slot(scalar_text)},
        {Py_tp_hash, type_slot(scalar_hash)},
        {Py_tp_richcompare, type_slot(scalar_compare)},
        {Py_nb_add, type_slot(scalar_binary<sum_of, &N::nb_add>)},
        {Py_nb_subtract, type_slot(scalar_binary<difference_of, &N::nb_subtract>)},
        {Py_nb_multiply, type_slot(scalar_binary<product_of, &N::nb_multiply>)},
        {Py_nb_true_divide, type_slot(scalar_binary<quotient_of, &N::nb_true_divide>)},
        {Py_nb_floor_divide, type_slot(scalar_binary<floor_of_quotient, &N::nb_floor_divide>)},
        {Py_nb_remainder, type_slot(scalar_binary<remainder_of, &N::nb_remainder>)},
        {Py_nb_power, type_slot(scalar_power)},
        {Py_nb_negative, type_slot(scalar_negative)},
        {Py_nb_positive, type_slot(scalar_positive)},
        {Py_nb_absolute, type_slot(scalar_absolute)},
        {Py_nb_bool, type_slot(scalar_truth)},
        {Py_nb_float, type_slot(scalar_float)},
        {Py_nb_int, type_slot(scalar_int)},
        {0, nullptr}};
    PyType_Spec spec{"rill._rill.numpy_types.bfloat16", sizeof(Bfloat16Scalar), 0,
                     Py_TPFLAGS_DEFAULT, slots};
    PyObject* type = PyType_FromSpec(&spec);
    if (type == nullptr) throw nanobind::python_error();
    return reinterpret_cast<PyTypeObject*>(type);
  }();
  return made;
}

PyObject* new_bfloat16(float value) {
  PyTypeObject* type = bfloat16_class();
  PyObject* made = type->tp_alloc(type, 0);
  if (made != nullptr) reinterpret_cast<Bfloat16Scalar*>(made)->value = bfloat16(value);
  return made;
}

bool float_of_number(PyObject* value, float* number) {
  if (Py_TYPE(value) == bfloat16_class()) {
    *number = scalar_value(value);
    return true;
  }
  if (!PyFloat_CheckExact(value) && !PyLong_Check(value)) return false;
  const double wide = PyFloat_AsDouble(value);
  if (wide == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();  // an integer beyond all floats: NumPy says so
    return false;
  }
  *number = static_cast<float>(wide);
  return true;
}

}  // namespace rill::python
