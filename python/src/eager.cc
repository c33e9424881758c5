#include "eager.h"

#include <nanobind/stl/string.h>

#include "dtypes.h"
#include "errors.h"
#include "interpreter_lock.h"
#include "numpy.h"
#include "objects.h"
#include "plain_values.h"
#include "rill/api/core/default_graph.h"
#include "shapes.h"

namespace rill::python {

PyTypeObject* eager_tensor_type = nullptr;

namespace {

const Tensor& value_of(const EagerTensorObject& self) { return self.output.value(); }

nb::object numpy_of(const EagerTensorObject& self) {
  return numpy_from_tensor(value_of(self).clone());
}

nb::object eager_array(const EagerTensorObject& self, nb::handle dtype) {
  return nb::module_::import_("numpy").attr("asarray")(numpy_of(self),
                                                       nb::arg("dtype") = nb::borrow(dtype));
}

// The Python number that `convert` (bool, int, ...) makes of the value.
nb::object as_number(const EagerTensorObject& self, PyObject* (*convert)(PyObject*)) {
  nb::object number = nb::steal(convert(numpy_of(self).ptr()));
  if (!number.is_valid()) throw nb::python_error();
  return number;
}

std::size_t length(const EagerTensorObject& self) {
  const Tensor value = value_of(self);
  if (value.rank() == 0) type_error("Scalar tensor has no `len()`");
  return static_cast<std::size_t>(value.dim(0));
}

nb::object iterate(nb::handle self) {
  const Tensor value = value_of(*nb::inst_ptr<EagerTensorObject>(self));
  if (value.rank() == 0) type_error("Cannot iterate over a scalar tensor.");
  nb::list rows;
  for (std::int64_t i = 0; i < value.dim(0); ++i) rows.append(self[nb::int_(i)]);
  return nb::iter(rows);
}

std::string eager_text(const EagerTensorObject& self, bool in_full) {
  const Tensor value = value_of(self);
  const std::string kind =
      str_cat("shape=", shape_text(value.shape()), ", dtype=", numpy_style_name(value.dtype()));
  if (in_full) return str_cat("<tf.Tensor: ", kind, ", numpy=", repr_of(numpy_of(self)), ">");
  return str_cat("tf.Tensor(", str_of(numpy_of(self)), ", ", kind, ")");
}

nb::object eager_shape(const EagerTensorObject& self) {
  return shape_object(value_of(self).shape());
}

}  // namespace

GraphObject& eager_graph_object() {
  static PyObject* const graph = wrap(eager_graph()).release().ptr();
  return graph_object(graph);
}

void bind_eager(nb::module_& m) {
  nb::class_<EagerTensorObject, TensorObject> c(m, "EagerTensor");
  eager_tensor_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def("numpy", numpy_of);
  c.def("__array__", eager_array, nb::arg("dtype") = nb::none());
  c.def("__bool__", [](const EagerTensorObject& t) { return truth_of(numpy_of(t)); });
  c.def("__int__", [](const EagerTensorObject& t) { return as_number(t, PyNumber_Long); });
  c.def("__float__", [](const EagerTensorObject& t) { return as_number(t, PyNumber_Float); });
  c.def("__index__", [](const EagerTensorObject& t) { return as_number(t, PyNumber_Index); });
  c.def("__len__", length);
  c.def("__iter__", iterate);
  c.def("__repr__", [](const EagerTensorObject& t) { return eager_text(t, true); });
  c.def("__str__", [](const EagerTensorObject& t) { return eager_text(t, false); });
  c.def_prop_ro("shape", eager_shape);
  c.def("get_shape", eager_shape);
  m.def("executing_eagerly", [] { return executing_eagerly(); });
  m.def("enable_eager_execution", [] {
    try {
      enable_eager_execution();
    } catch (const Error& error) {
      value_error(error.message());
    }
  });
  m.def("eager_graph", [] { return wrap(eager_graph()); });
}

}  // namespace rill::python
