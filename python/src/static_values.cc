#include "static_values.h"

#include <nanobind/stl/string.h>

#include "dtypes.h"
#include "errors.h"
#include "numpy.h"
#include "objects.h"
#include "protos.h"
#include "rill/api/core/static_value.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "rill/tensor/tensor_proto.h"
#include "shapes.h"
#include "tensorflow/core/framework/tensor.pb.h"

namespace rill::python {
namespace {

// Messages keep numbers as they are typed; an array of bytes is one of objects.
nb::object constant_array(const Tensor& value) {
  const bool is_bytes = value.dtype() == DType::string;
  nb::object array = numpy_from_tensor(value.clone());
  nb::module_ numpy = nb::module_::import_("numpy");
  if (!is_bytes) return numpy.attr("asarray")(array);
  return numpy.attr("array")(array, nb::arg("dtype") = nb::borrow(&PyBaseObject_Type));
}

nb::object static_value_of(nb::handle tensor) {
  if (!is_tensor(tensor)) {
    if (is_operation(tensor) || !nb::hasattr(tensor, "_as_graph_element"))
      type_error("tensor is not a Tensor: ", repr_of(tensor));
    nb::object element = tensor.attr("_as_graph_element")();
    return is_tensor(element) ? static_value_of(element) : nb::none();
  }
  const std::optional<Tensor> value = static_value(tensor_object(tensor).output);
  return value ? constant_array(*value) : nb::none();
}

// Fewer values than the shape has elements: readers repeat the last one.
nb::object stretched_proto(const Tensor& values, const Shape& shape) {
  tensorflow::TensorProto message;
  to_proto(values, &message, ProtoForm::fields);
  to_proto(PartialShape(shape), message.mutable_tensor_shape());
  return message_from_bytes("tensorflow/core/framework/tensor.proto", "TensorProto",
                            message.SerializeAsString());
}

}  // namespace

std::optional<Tensor> empty_constant(nb::handle value, DType dtype, nb::handle shape) {
  if (shape.is_none() || value.is_none() || nb::hasattr(value, "dtype")) return {};
  const PartialShape wanted = as_shape(shape);
  if (!wanted.is_full() || wanted.full().element_count() != 0) return {};
  return Tensor::zeros(dtype == DType::invalid ? DType::f32 : base_type(dtype), wanted.full());
}

namespace {

nb::object make_tensor_proto(nb::object values, nb::handle dtype, nb::handle shape,
                             bool verify_shape, bool allow_broadcast) {
  if (allow_broadcast && verify_shape)
    value_error("allow_broadcast and verify_shape are not both allowed.");
  if (nb::hasattr(values, "tensor_shape") && nb::hasattr(values, "SerializeToString"))
    return values;
  if (values.is_none()) value_error("None values not supported.");
  return building([&] {
    const DType type = dtype.is_none() ? DType::invalid : base_type(as_dtype(dtype));
    if (auto empty = empty_constant(values, type, shape)) return tensor_proto(*empty);
    Tensor tensor = tensor_from_value(values, type);
    if (!shape.is_none()) {
      const Shape wanted = as_shape(shape).full();
      if (verify_shape && wanted != tensor.shape())
        type_error("Expected Tensor's shape: ", shape_text(wanted), ", got ",
                   shape_text(tensor.shape()), ".");
      require(tensor.element_count() <= wanted.element_count(),
              "Too many elements provided. Needed at most ", wanted.element_count(),
              ", but received ", tensor.element_count());
      if (tensor.element_count() == wanted.element_count())
        return tensor_proto(tensor.reshaped(wanted));
      return stretched_proto(tensor, wanted);
    }
    return tensor_proto(tensor);
  });
}

nb::object make_ndarray(nb::handle message) {
  if (!nb::hasattr(message, "tensor_shape"))
    type_error("Unsupported tensor type: ", repr_of(message.type()));
  return building([&] { return constant_array(tensor_from_message(message)); });
}

nb::object op_def_named(const std::string& name) {
  const Op* op = standard_ops().find(name);
  return op == nullptr ? nb::none() : op_def(*op);
}

}  // namespace

void bind_static_values(nb::module_& m) {
  m.def("static_value", static_value_of, nb::arg("tensor").none());
  m.def(
      "constant_shape_value",
      [](nb::handle tensor) {
        if (!is_tensor(tensor)) type_error("tensor is not a Tensor: ", repr_of(tensor));
        return building(
            [&] { return shape_object(constant_shape_value(tensor_object(tensor).output)); });
      },
      nb::arg("tensor"));
  m.def("make_tensor_proto", make_tensor_proto, nb::arg("values").none(),
        nb::arg("dtype") = nb::none(), nb::arg("shape") = nb::none(),
        nb::arg("verify_shape") = false, nb::arg("allow_broadcast") = false);
  m.def("make_ndarray", make_ndarray, nb::arg("tensor").none());
  m.def("op_def", op_def_named, nb::arg("name"));
  m.def(
      "has_kernels",
      [](const std::string& device) { return standard_kernels().has_kernel("MatMul", device); },
      nb::arg("device_type"));
  m.def("version", [] { return RILL_VERSION; });
  m.def("compiler_version", [] { return __VERSION__; });
}

}  // namespace rill::python
