#include "rill/graph/function_proto.h"

#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/function_call.h"
#include "rill/graph/op_def.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill {
namespace {

template <class Protos>
AttrMap read_attrs(const Protos& protos) {
  AttrMap attrs;
  for (const auto& [name, value] : protos) attrs.emplace(name, body_attr_from_proto(value));
  return attrs;
}

template <class Protos>
void write_attrs(const AttrMap& attrs, Protos* protos) {
  for (const auto& [name, value] : attrs) to_proto(value, &(*protos)[name]);
}

FunctionNode read_node(const tensorflow::NodeDef& proto) {
  FunctionNode node{.name = proto.name(), .op = proto.op(), .device = proto.device()};
  node.inputs.assign(proto.input().begin(), proto.input().end());
  try {
    node.attrs = read_attrs(proto.attr());
    // Said by newer producers alone; the kernel knows it by a name that no declaration needs.
    if (auto resizes = node.attrs.extract("resize_if_index_out_of_bounds"); !resizes.empty()) {
      resizes.key() = "_resize_if_index_out_of_bounds";
      node.attrs.insert(std::move(resizes));
    }
  } catch (const Error& error) {
    raise(error.code(), "node '", proto.name(), "': ", error.message());
  }
  return node;
}

}  // namespace

Function from_proto(const tensorflow::FunctionDef& proto, int producer) {
  Function function;
  try {
    function.signature = from_proto(proto.signature());
    function.signature.grad = call_gradient;
    for (const auto& node : proto.node_def()) function.nodes.push_back(read_node(node));
    function.returns.insert(proto.ret().begin(), proto.ret().end());
    function.control_returns.insert(proto.control_ret().begin(), proto.control_ret().end());
    const auto& outputs = proto.signature().control_output();
    function.control_outputs.assign(outputs.begin(), outputs.end());
    function.attrs = read_attrs(proto.attr());
    for (const auto& [index, arg] : proto.arg_attr())
      function.arg_attrs.emplace(index, read_attrs(arg.attr()));
    function.producer = producer;
  } catch (const Error& error) {
    raise(error.code(), "Function ", proto.signature().name(), ": ", error.message());
  }
  return function;
}

void to_proto(const Function& function, tensorflow::FunctionDef* proto) {
  proto->Clear();
  to_proto(function.signature, proto->mutable_signature());
  for (const std::string& name : function.control_outputs)
    proto->mutable_signature()->add_control_output(name);
  for (const FunctionNode& node : function.nodes) {
    auto* def = proto->add_node_def();
    def->set_name(node.name);
    def->set_op(node.op);
    def->set_device(node.device);
    for (const std::string& input : node.inputs) def->add_input(input);
    write_attrs(node.attrs, def->mutable_attr());
  }
  proto->mutable_ret()->insert(function.returns.begin(), function.returns.end());
  proto->mutable_control_ret()->insert(function.control_returns.begin(),
                                       function.control_returns.end());
  write_attrs(function.attrs, proto->mutable_attr());
  for (const auto& [index, attrs] : function.arg_attrs)
    write_attrs(attrs, (*proto->mutable_arg_attr())[index].mutable_attr());
}

void to_proto(const FunctionLibrary& library, tensorflow::FunctionDefLibrary* proto) {
  proto->Clear();
  for (const auto& function : library.all()) to_proto(*function, proto->add_function());
  for (const auto& [function, gradient] : library.gradients()) {
    auto* def = proto->add_gradient();
    def->set_function_name(function);
    def->set_gradient_func(gradient);
  }
}

}  // namespace rill
