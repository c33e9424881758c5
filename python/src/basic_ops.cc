#include "basic_ops.h"

#include <nanobind/stl/string.h>

#include "dimensions.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "numpy.h"
#include "objects.h"
#include "origin.h"
#include "plain_values.h"
#include "rill/api/core/basic_ops.h"
#include "shapes.h"
#include "static_values.h"

namespace rill::python {
namespace {

Scope scope_of_caller() { return current_scope().from(capture_origin()); }

std::string name_or(nb::handle name, const char* otherwise) {
  return name.is_none() ? otherwise : text_of(name);
}

nb::object make_placeholder(nb::handle dtype, nb::handle shape, nb::handle name) {
  if (executing_eagerly())
    throw_python(PyExc_RuntimeError, "tf.placeholder() is not compatible with eager execution.");
  nb::object graph = wrap(default_graph());
  return building([&] {
    AttrMap attrs{{"dtype", base_type(as_dtype(dtype))}, {"shape", as_shape(shape)}};
    Scope scope = scope_of_caller();
    Node& node = scope.add("Placeholder", {}, std::move(attrs), name_or(name, ""));
    return wrap(graph_object(graph), node.output());
  });
}

nb::object make_constant(nb::handle value, nb::handle dtype, nb::handle shape,
                         const std::string& name, bool verify_shape) {
  nb::object graph = wrap(default_graph());
  return building([&] {
    const DType type = dtype.is_none() ? DType::invalid : as_dtype(dtype);
    if (auto empty = empty_constant(value, type, shape))
      return wrap(graph_object(graph), scope_of_caller().constant(std::move(*empty), name));
    Tensor tensor = tensor_from_value(value, type);
    if (!shape.is_none()) {
      const Shape wanted = as_shape(shape).full();
      if (verify_shape && wanted != tensor.shape())
        type_error("Expected Tensor's shape: ", shape_text(wanted), ", got ",
                   shape_text(tensor.shape()), ".");
      if (executing_eagerly() && tensor.element_count() != 1 &&
          tensor.element_count() != wanted.element_count())
        type_error("Eager execution of tf.constant with unsupported shape (value has ",
                   tensor.element_count(), " elements, shape is ", shape_text(wanted), " with ",
                   wanted.element_count(), " elements).");
      Scope scope = scope_of_caller();
      return wrap(graph_object(graph), filled_constant(scope, tensor, wanted, name));
    }
    return wrap(graph_object(graph), scope_of_caller().constant(std::move(tensor), name));
  });
}

nb::object make_no_op(nb::handle name) {
  nb::object graph = wrap(default_graph());
  return building([&] {
    return wrap(graph_object(graph), scope_of_caller().add("NoOp", {}, {}, name_or(name, "")));
  });
}

nb::object convert_to_tensor(nb::object value, nb::handle dtype, nb::handle name,
                             nb::handle preferred_dtype, nb::handle dtype_hint) {
  nb::handle preferred = preferred_dtype.is_none() ? dtype_hint : preferred_dtype;
  const DType wanted = dtype.is_none() ? DType::invalid : base_type(as_dtype(dtype));
  if (is_tensor(value)) {
    const DType own = base_type(tensor_object(value).output.dtype());
    if (wanted != DType::invalid && wanted != own)
      value_error("Tensor conversion requested dtype ", numpy_style_name(wanted),
                  " for Tensor with dtype ", numpy_style_name(own), ": ", repr_of(value));
    return value;
  }
  GraphChoice choice;
  choice.see(value);
  nb::object graph = nb::borrow(choice.graph().self);
  const auto made = [&](DType type) {
    const Input input = input_of(value, type, "", "value");
    return building([&] {
      Scope scope = scope_of(choice.graph().graph).from(capture_origin());
      const char* default_name = is_shape(value) || is_dimension(value) ? "shape_as_tensor"
                                 : input.is_value()                     ? "Const"
                                 : has_conversion(value)                ? ""
                                                                        : "packed";
      return wrap(graph_object(graph),
                  input.as_output(scope, name_or(name, default_name), DType::invalid));
    });
  };
  if (wanted != DType::invalid || preferred.is_none()) return made(wanted);
  try {
    return made(base_type(as_dtype(preferred)));
  } catch (nb::python_error& error) {  // a preference only
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
  }
  return made(DType::invalid);
}

}  // namespace

void bind_basic_ops(nb::module_& m) {
  m.def("placeholder", make_placeholder, nb::arg("dtype"), nb::arg("shape") = nb::none(),
        nb::arg("name") = nb::none());
  m.def("constant", make_constant, nb::arg("value").none(), nb::arg("dtype") = nb::none(),
        nb::arg("shape") = nb::none(), nb::arg("name") = "Const", nb::arg("verify_shape") = false);
  m.def("no_op", make_no_op, nb::arg("name") = nb::none());
  m.def("convert_to_tensor", convert_to_tensor, nb::arg("value").none(),
        nb::arg("dtype") = nb::none(), nb::arg("name") = nb::none(),
        nb::arg("preferred_dtype") = nb::none(), nb::arg("dtype_hint") = nb::none());
}

}  // namespace rill::python
