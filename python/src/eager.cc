#include "eager.h"

#include <nanobind/stl/string.h>

#include "call.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "interpreter_lock.h"
#include "numpy.h"
#include "objects.h"
#include "plain_values.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/eager/gradient_tape.h"
#include "rill/grad/gradients.h"
#include "rill/graph/tape.h"
#include "shapes.h"
#include "variables.h"

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

// What a tape knows a source by: a tensor, or the handle of a variable.
Output source_of(nb::handle source) {
  if (is_variable(source)) return variable_object(source).variable.handle();
  return tensor_object(source).output;
}

std::vector<Gradient> seeds_of(nb::handle given, std::size_t count) {
  std::vector<Gradient> seeds(given.is_none() ? 0 : count);
  if (given.is_none()) return seeds;
  std::size_t i = 0;
  for (nb::handle seed : given) {
    if (i == count) break;
    if (!seed.is_none()) seeds[i] = converted_tensor(seed, "output_gradient");
    ++i;
  }
  return seeds;
}

nb::object tape_gradients(const Tape& tape, nb::handle targets, nb::handle sources,
                          nb::handle output_gradients, bool zeros) {
  const AsDefault eagerly(eager_graph());
  return building([&] {
    std::vector<Output> ys, xs;
    for (nb::handle target : targets) ys.push_back(converted_tensor(target, "target"));
    for (nb::handle source : sources) xs.push_back(source_of(source));
    const auto found = gradients(current_scope(), ys, xs,
                                 {.grad_ys = seeds_of(output_gradients, ys.size()),
                                  .unconnected = zeros ? Unconnected::kZero : Unconnected::kNone,
                                  .tape = &tape});
    nb::list results;
    for (const Gradient& gradient : found) results.append(give(gradient));
    return nb::object(results);
  });
}

void bind_tape(nb::module_& m) {
  nb::class_<Tape> c(m, "Tape");
  c.def(nb::init<bool>());
  c.def("start", &Tape::start);
  c.def("stop", &Tape::stop);
  c.def("is_on", &Tape::is_on);
  c.def("reset", &Tape::reset);
  c.def("watch", [](Tape& tape, nb::handle source) {
    if (is_variable(source))
      tape.add_variable(source_of(source));
    else
      building([&] { tape.watch(source_of(source)); });
  });
  c.def("variables", [](const Tape& tape) {
    nb::list all;
    for (const Output& handle : tape.variables())
      if (nb::object variable = eager_variable(handle); !variable.is_none()) all.append(variable);
    return all;
  });
  c.def("gradients", tape_gradients, nb::arg("targets"), nb::arg("sources"),
        nb::arg("output_gradients").none(), nb::arg("zeros"));
  c.def("jacobian", [](Tape& tape, nb::handle target, nb::handle source) {
    return building([&] {
      return give(jacobian(tape, converted_tensor(target, "target"), source_of(source)));
    });
  });
  c.def("batch_jacobian", [](Tape& tape, nb::handle target, nb::handle source) {
    return building([&] {
      return give(batch_jacobian(tape, converted_tensor(target, "target"), source_of(source)));
    });
  });
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
  m.def("disable_eager_execution", disable_eager_execution);
  m.def("executing_eagerly", [] { return executing_eagerly(); });
  m.def("enable_eager_execution", [] {
    try {
      enable_eager_execution();
    } catch (const Error& error) {
      value_error(error.message());
    }
  });
  bind_tape(m);
  m.def("eager_graph", [] { return wrap(eager_graph()); });
}

}  // namespace rill::python
