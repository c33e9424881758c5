#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "objects.h"
#include "rill/graph/attr.h"

namespace rill::python {

// Messages cross between C++ and Python as bytes. `path` and `name` say which message:
// ("tensorflow/core/framework/graph.proto", "GraphDef").
nb::object message_class(const char* path, const char* name);
nb::object message_from_bytes(const char* path, const char* name, const std::string& bytes);
std::string bytes_of_message(nb::handle message);

// A C++ message read from a Python one.
template <class Message>
Message read_message(nb::handle message) {
  Message result;
  const std::string bytes = bytes_of_message(message);
  result.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  return result;
}

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
