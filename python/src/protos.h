#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

#include "errors.h"
#include "objects.h"
#include "rill/graph/attr.h"
#include "rill/io/parse_message.h"

namespace rill::python {

// Messages cross between C++ and Python as bytes. `path` and `name` say which message:
// ("tensorflow/core/framework/graph.proto", "GraphDef").
nb::object message_class(const char* path, const char* name);
nb::object message_from_bytes(const char* path, const char* name, const std::string& bytes);
std::string bytes_of_message(nb::handle message);

// A C++ message read from bytes, or from a Python one. Raises ValueError where they are no such
// message.
template <class Message>
Message message_in(std::string_view bytes) {
  Message result;
  if (!parse_message(bytes, &result)) value_error("the message is damaged");
  return result;
}
template <class Message>
Message read_message(nb::handle message) {
  return message_in<Message>(bytes_of_message(message));
}

// The bytes of a C++ message.
inline nb::bytes bytes_of(const google::protobuf::MessageLite& message) {
  return bytes_object(message.SerializeAsString());
}

inline constexpr const char* kMetaGraphPath = "tensorflow/core/protobuf/meta_graph.proto";
inline constexpr const char* kSaverPath = "tensorflow/core/protobuf/saver.proto";

nb::object shape_proto(const PartialShape& shape);
nb::object tensor_proto(const Tensor& tensor);
nb::object func_proto(const FuncName& func);
nb::object node_def(const Node& node);
nb::object op_def(const Op& op);
Tensor tensor_from_message(nb::handle message);
FuncName func_from_message(nb::handle message);
AttrValue attr_from_message(nb::handle message);

void bind_graph_protos(nb::class_<GraphObject>& c);
void bind_protos(nb::module_& m);

}  // namespace rill::python
