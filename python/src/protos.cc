#include "protos.h"

#include "errors.h"
#include "package.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/tensor.pb.h"
#include "tensorflow/core/framework/tensor_shape.pb.h"

namespace rill::python {
namespace {

constexpr const char* kShapePath = "tensorflow/core/framework/tensor_shape.proto";
constexpr const char* kTensorPath = "tensorflow/core/framework/tensor.proto";

}  // namespace

nb::object message_class(const char* path, const char* name) {
  return package::proto_module(path).attr(name);
}

namespace {

// A large message is many objects, none of them garbage: while they are made, collections of
// garbage only take time, more than the message itself where its classes are Python's.
class PausedCollections {
 public:
  PausedCollections() : was_on_(PyGC_Disable() != 0) {}
  ~PausedCollections() {
    if (was_on_) PyGC_Enable();
  }
  PausedCollections(const PausedCollections&) = delete;
  PausedCollections& operator=(const PausedCollections&) = delete;

 private:
  bool was_on_;
};

}  // namespace

nb::object message_from_bytes(const char* path, const char* name, const std::string& bytes) {
  const PausedCollections paused;
  return message_class(path, name).attr("FromString")(bytes_object(bytes));
}

std::string bytes_of_message(nb::handle message) {
  if (!nb::hasattr(message, "SerializeToString"))
    type_error("Expected a protobuf message, got ", repr_of(message));
  nb::object bytes = message.attr("SerializePartialToString")();
  if (!PyBytes_Check(bytes.ptr()))
    type_error("Expected a protobuf message, got ", repr_of(message));
  return std::string(PyBytes_AS_STRING(bytes.ptr()),
                     static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
}

nb::object shape_proto(const PartialShape& shape) {
  tensorflow::TensorShapeProto message;
  to_proto(shape, &message);
  return message_from_bytes(kShapePath, "TensorShapeProto", message.SerializeAsString());
}

nb::object tensor_proto(const Tensor& tensor) {
  tensorflow::TensorProto message;
  to_proto(tensor, &message);
  return message_from_bytes(kTensorPath, "TensorProto", message.SerializeAsString());
}

Tensor tensor_from_message(nb::handle message) {
  return from_proto(read_message<tensorflow::TensorProto>(message));
}

}  // namespace rill::python
