#include "dtypes.h"

#include <nanobind/stl/string.h>

#include <array>

#include "errors.h"
#include "numpy.h"

namespace rill::python {
namespace {

struct DTypeObject {
  DType type;
};

constexpr int kSlotCount = 2 * kRefOffset;
std::array<PyObject*, kSlotCount> objects;  // owned, for the life of the process
PyTypeObject* dtype_type = nullptr;

bool is_dtype_object(nb::handle h) { return Py_TYPE(h.ptr()) == dtype_type; }

DType from_number(long number) {
  const auto type = static_cast<DType>(number);
  return number > 0 && number < kSlotCount && is_valid(type) ? type : DType::invalid;
}

// TensorFlow's Python names only: not "DT_FLOAT", which is the wire's.
DType from_name(std::string_view name) {
  constexpr std::string_view kRef = "_ref";
  const bool ref = name.size() > kRef.size() && name.ends_with(kRef);
  if (ref) name.remove_suffix(kRef.size());
  DType type = DType::invalid;
  if (name.starts_with("DT_") || name == "object" || !parse_dtype(name, &type))
    return DType::invalid;
  return ref ? ref_type(type) : type;
}

DType from_python_type(nb::handle value) {
  auto* type = reinterpret_cast<PyTypeObject*>(value.ptr());
  if (type == &PyFloat_Type) return DType::f32;
  if (type == &PyBool_Type) return DType::boolean;
  if (type == &PyBaseObject_Type) return DType::string;
  const bool builtin = type == &PyLong_Type || type == &PyUnicode_Type || type == &PyBytes_Type ||
                       type == &PyComplex_Type;
  return builtin ? DType::invalid : dtype_of_numpy(value);
}

// --- what a type says of itself ------------------------------------------------------------------

DType real_of(DType t) {
  const DType base = base_type(t);
  if (base == DType::c64) return DType::f32;
  return base == DType::c128 ? DType::f64 : t;
}

nb::object numpy_class(DType t) {
  nb::object dtype = numpy_dtype(t);
  if (!dtype.is_valid()) throw_python(PyExc_KeyError, std::to_string(static_cast<int>(t)));
  if (base_type(t) == DType::string) return nb::borrow(&PyBaseObject_Type);
  return dtype.attr("names").is_none() ? nb::object(dtype.attr("type")) : dtype;
}

nb::object dtype_limit(DType t, const char* which, const char* word) {
  if (!(kRealTypes.contains(t)))
    type_error("Cannot find ", word, " value of <dtype: '", numpy_style_name(t), "'>",
               kQuantizedTypes.contains(t) ? " with quantized type" : " with type", " <dtype: '",
               numpy_style_name(t), "'>.");
  nb::module_ numpy = nb::module_::import_("numpy");
  if (base_type(t) == DType::bf16) {
    nb::object number =
        nb::float_(which[1] == 'i' ? -3.3895313892515355e38 : 3.3895313892515355e38);
    return numpy_class(t)(number);
  }
  const char* info = kIntTypes.contains(t) ? "iinfo" : "finfo";
  return numpy.attr(info)(numpy_class(t)).attr(which);
}

nb::object limits(DType t) {
  nb::object high;
  if (kIntTypes.contains(t)) {
    high = dtype_limit(t, "max", "maximum");
  } else if (base_type(t) == DType::boolean) {
    high = nb::bool_(true);
  } else if (base_type(t) == DType::f32 || base_type(t) == DType::f64) {
    high = nb::int_(1);
  } else {
    value_error("<dtype: '", numpy_style_name(t), "'> does not have defined limits.");
  }
  return nb::make_tuple(0, high);
}

bool dtype_equals(const DTypeObject& self, nb::handle other) {
  if (is_dtype_object(other)) return nb::inst_ptr<DTypeObject>(other)->type == self.type;
  return !other.is_none() && try_as_dtype(other) == self.type;
}

void bind_dtype_class(nb::module_& m) {
  const auto in = [](TypeSet set) {
    return [set](DTypeObject& d) { return set.contains(d.type); };
  };
  nb::class_<DTypeObject> c(m, "DType");
  dtype_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def(
      "__init__",
      [](DTypeObject* self, nb::handle type_enum) { new (self) DTypeObject{as_dtype(type_enum)}; },
      nb::arg("type_enum"));
  c.def_prop_ro("name", [](DTypeObject& d) { return numpy_style_name(d.type); });
  c.def_prop_ro("as_datatype_enum", [](DTypeObject& d) { return static_cast<int>(d.type); });
  c.def_prop_ro("_type_enum", [](DTypeObject& d) { return static_cast<int>(d.type); });
  c.def_prop_ro("as_numpy_dtype", [](DTypeObject& d) { return numpy_class(d.type); });
  c.def_prop_ro("base_dtype", [](DTypeObject& d) { return dtype_object(base_type(d.type)); });
  c.def_prop_ro("real_dtype", [](DTypeObject& d) { return dtype_object(real_of(d.type)); });
  c.def_prop_ro("_as_ref", [](DTypeObject& d) { return dtype_object(ref_type(d.type)); });
  c.def_prop_ro("_is_ref_dtype", [](DTypeObject& d) { return is_ref(d.type); });
  c.def_prop_ro("is_bool", in(DType::boolean));
  c.def_prop_ro("is_integer", in(kIntTypes));
  c.def_prop_ro("is_floating", in(kFloatTypes));
  c.def_prop_ro("is_complex", in(kComplexTypes));
  c.def_prop_ro("is_quantized", in(kQuantizedTypes));
  c.def_prop_ro("is_unsigned", in(kUnsignedIntTypes));
  c.def_prop_ro("is_numpy_compatible", in(kAllTypes - (DType::resource | DType::variant)));
  c.def_prop_ro("size", [](DTypeObject& d) {
    return is_trivial(d.type) ? element_size(base_type(d.type)) : std::size_t{1};
  });
  c.def_prop_ro("min", [](DTypeObject& d) { return dtype_limit(d.type, "min", "minimum"); });
  c.def_prop_ro("max", [](DTypeObject& d) { return dtype_limit(d.type, "max", "maximum"); });
  c.def_prop_ro("limits", [](DTypeObject& d) { return limits(d.type); });
  c.def(
      "is_compatible_with",
      [](DTypeObject& d, nb::handle other) {
        const DType type = as_dtype(other);
        return type == d.type || (base_type(type) == d.type && !is_ref(d.type));
      },
      nb::arg("other"));
  c.def("__eq__", dtype_equals, nb::arg().none());
  c.def(
      "__ne__", [](DTypeObject& d, nb::handle o) { return !dtype_equals(d, o); }, nb::arg().none());
  c.def("__hash__", [](DTypeObject& d) { return static_cast<Py_hash_t>(d.type); });
  c.def("__int__", [](DTypeObject& d) { return static_cast<int>(d.type); });
  c.def("__repr__", [](DTypeObject& d) { return "tf." + numpy_style_name(d.type); });
  c.def("__str__", [](DTypeObject& d) { return "<dtype: '" + numpy_style_name(d.type) + "'>"; });
}

}  // namespace

std::string numpy_style_name(DType dtype) {
  const DType base = base_type(dtype);
  std::string name(is_trivial(base) ? numpy_name(base) : dtype_name(base));
  return is_ref(dtype) ? name + "_ref" : name;
}

nb::object dtype_object(DType dtype) {
  PyObject* object = objects[static_cast<std::size_t>(dtype)];
  return object == nullptr ? nb::none() : nb::borrow(object);
}

DType try_as_dtype(nb::handle value) {
  if (is_dtype_object(value)) return nb::inst_ptr<DTypeObject>(value)->type;
  if (nb::isinstance<nb::str>(value)) return from_name(str_of(value));
  if (PyType_Check(value.ptr())) return from_python_type(value);
  if (PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr())) {
    const long number = PyLong_AsLong(value.ptr());
    if (number == -1 && PyErr_Occurred()) PyErr_Clear();
    return from_number(number);
  }
  if (nb::hasattr(value, "dtype")) return try_as_dtype(value.attr("dtype"));
  return dtype_of_numpy(value);
}

DType as_dtype(nb::handle value) {
  const DType dtype = try_as_dtype(value);
  if (dtype == DType::invalid)
    type_error("Cannot convert value ", repr_of(value), " to a TensorFlow DType.");
  return dtype;
}

void bind_dtypes(nb::module_& m) {
  m.def(
      "as_dtype", [](nb::handle value) { return dtype_object(as_dtype(value)); },
      nb::arg("type_value").none());
  bind_dtype_class(m);
  nb::list names;
  for (int number = 1; number < kSlotCount; ++number) {
    const DType type = from_number(number);
    if (type == DType::invalid) continue;
    nb::object object = nb::cast(DTypeObject{type});
    objects[static_cast<std::size_t>(number)] = object.inc_ref().ptr();
    const std::string name = numpy_style_name(type);
    m.attr(name.c_str()) = object;
    names.append(nb::str(name.c_str()));
  }
  m.attr("dtype_names") = names;
}

}  // namespace rill::python
