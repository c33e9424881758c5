#include "rill/ops/data/core/dataset_graph.h"

#include <map>

#include "rill/graph/attr_proto.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

class Writer {
 public:
  tensorflow::GraphDef graph;

  std::string add(const Dataset& dataset) {
    if (const auto known = names_.find(&dataset); known != names_.end()) return known->second;
    const DatasetOrigin& origin = dataset.origin();
    if (origin.op.empty())
      raise(Code::kFailedPrecondition, "the dataset was not made by a node of a graph");
    if (origin.op.ends_with("NonSerializableDataset"))
      raise(Code::kUnimplemented, origin.op, " is there to refuse being written as a graph");
    std::vector<std::string> inputs;
    for (const Tensor& input : origin.inputs) inputs.push_back(add_input(input, origin));
    tensorflow::NodeDef& node = new_node(origin.op);
    for (const std::string& input : inputs) node.add_input(input);
    for (const auto& [name, value] : origin.attrs) to_proto(value, &(*node.mutable_attr())[name]);
    return names_[&dataset] = node.name();
  }

  tensorflow::NodeDef& new_node(const std::string& op) {
    tensorflow::NodeDef& node = *graph.add_node();
    node.set_name(str_cat(op, "/_", count_++));
    node.set_op(op);
    return node;
  }

 private:
  std::string add_input(const Tensor& input, const DatasetOrigin& origin) {
    if (holds_dataset(input)) return add(*dataset_in(input));
    if (input.dtype() == DType::resource)
      raise(Code::kFailedPrecondition, origin.op, " ", origin.node,
            " depends on a resource, which a graph cannot hold");
    tensorflow::NodeDef& node = new_node("Const");
    (*node.mutable_attr())["dtype"].set_type(static_cast<tensorflow::DataType>(input.dtype()));
    to_proto(input, (*node.mutable_attr())["value"].mutable_tensor());
    return node.name();
  }

  std::map<const Dataset*, std::string> names_;
  int count_ = 0;
};

}  // namespace

std::string dataset_graph(const Dataset& dataset, const std::string& library) {
  Writer writer;
  const std::string name = writer.add(dataset);
  tensorflow::NodeDef& result = writer.new_node("_Retval");
  result.set_name("dataset");
  result.add_input(name);
  (*result.mutable_attr())["T"].set_type(tensorflow::DT_VARIANT);
  (*result.mutable_attr())["index"].set_i(0);
  if (!writer.graph.mutable_library()->ParseFromString(library))
    raise(Code::kInternal, "the function library cannot be read");
  return writer.graph.SerializeAsString();
}

}  // namespace rill
