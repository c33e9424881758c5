#include "numpy.h"

#include <array>
#include <string>

#include "errors.h"
#include "numpy_api.h"
#include "numpy_bfloat16.h"

namespace rill::python {
namespace {

std::array<PyArray_Descr*, kDTypeCount> descrs;  // owned, for the life of the process

struct ScalarType {
  DType dtype;
  int number;
};
constexpr ScalarType kScalarTypes[] = {
    {DType::f32, NPY_FLOAT32},   {DType::f64, NPY_FLOAT64},     {DType::f16, NPY_FLOAT16},
    {DType::i8, NPY_INT8},       {DType::i16, NPY_INT16},       {DType::i32, NPY_INT32},
    {DType::i64, NPY_INT64},     {DType::u8, NPY_UINT8},        {DType::u16, NPY_UINT16},
    {DType::u32, NPY_UINT32},    {DType::u64, NPY_UINT64},      {DType::boolean, NPY_BOOL},
    {DType::c64, NPY_COMPLEX64}, {DType::c128, NPY_COMPLEX128}, {DType::string, NPY_OBJECT}};

struct FieldType {
  DType dtype;
  const char *name, *storage;
};
constexpr FieldType kFieldTypes[] = {
    {DType::qi8, "qint8", "i1"},    {DType::qu8, "quint8", "u1"},  {DType::qi16, "qint16", "i2"},
    {DType::qu16, "quint16", "u2"}, {DType::qi32, "qint32", "i4"}, {DType::bf16, "bfloat16", "u2"}};

PyArray_Descr*& descr_slot(DType dtype) { return descrs[static_cast<std::size_t>(dtype)]; }

PyArray_Descr* field_descr(const FieldType& type) {
  nb::list fields;
  fields.append(nb::make_tuple(type.name, type.storage));
  PyArray_Descr* descr = nullptr;
  if (PyArray_DescrConverter(fields.ptr(), &descr) == 0) throw nb::python_error();
  return descr;
}

// The type that other libraries use, too, where that is installed: importing ml_dtypes registers
// it.
PyArray_Descr* bfloat16_descr() {
  PyObject* module = PyImport_ImportModule("ml_dtypes");
  if (module == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  nb::object type = nb::steal(module).attr("bfloat16");
  PyArray_Descr* descr = nullptr;
  if (PyArray_DescrConverter(type.ptr(), &descr) == 0) throw nb::python_error();
  return descr;
}

DType dtype_of_structure(PyArray_Descr* descr) {
  nb::object names = nb::handle(reinterpret_cast<PyObject*>(descr)).attr("names");
  if (names.is_none() || nb::len(names) != 1) return DType::invalid;
  const std::string name = nb::cast<nb::str>(names[0]).c_str();
  for (const FieldType& type : kFieldTypes)
    if (name == type.name) return type.dtype;
  return DType::invalid;
}

}  // namespace

bool is_array(PyObject* value) { return PyArray_Check(value); }

PyArray_Descr* numpy_descr(DType dtype) {
  PyArray_Descr* descr = descr_slot(base_type(dtype));
  Py_XINCREF(descr);
  return descr;
}

DType dtype_of_descr(PyArray_Descr* descr) {
  switch (descr->type_num) {
    case NPY_LONGLONG:
      return DType::i64;
    case NPY_ULONGLONG:
      return DType::u64;
    case NPY_STRING:
    case NPY_UNICODE:
      return DType::string;
    case NPY_VOID:
      return dtype_of_structure(descr);
  }
  for (const ScalarType& type : kScalarTypes)
    if (descr->type_num == type.number) return type.dtype;
  const PyArray_Descr* bf16 = descr_slot(DType::bf16);
  return bf16->type_num == descr->type_num ? DType::bf16 : DType::invalid;
}

nb::object numpy_dtype(DType dtype) {
  return nb::steal(reinterpret_cast<PyObject*>(numpy_descr(dtype)));
}

DType dtype_of_numpy(nb::handle value) {
  if (PyArray_DescrCheck(value.ptr()))
    return dtype_of_descr(reinterpret_cast<PyArray_Descr*>(value.ptr()));
  if (!PyType_Check(value.ptr()) ||
      !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(value.ptr()), &PyGenericArrType_Type))
    return DType::invalid;
  PyArray_Descr* descr = PyArray_DescrFromTypeObject(value.ptr());
  if (descr == nullptr) {
    PyErr_Clear();
    return DType::invalid;
  }
  const DType dtype = dtype_of_descr(descr);
  Py_DECREF(descr);
  return dtype;
}

void init_numpy() {
  fill_numpy_table();
  init_from_numpy();
  init_to_numpy();
  for (const ScalarType& type : kScalarTypes)
    descr_slot(type.dtype) = PyArray_DescrFromType(type.number);
  for (const FieldType& type : kFieldTypes) descr_slot(type.dtype) = field_descr(type);
  PyArray_Descr* shared = bfloat16_descr();
  descr_slot(DType::bf16) = shared != nullptr ? shared : register_bfloat16();
}

}  // namespace rill::python
