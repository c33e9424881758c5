#include <set>
#include <unordered_map>

#include "rill/graph/graph_def.h"
#include "rill/ops/data/core/dataset_graph.h"
#include "rill/ops/data/core/dataset_making.h"
#include "rill/ops/register.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

// Datasets call the functions of the session.
void check_functions(const tensorflow::GraphDef& def, const std::string& library) {
  tensorflow::FunctionDefLibrary known;
  if (!known.ParseFromString(library))
    raise(Code::kInternal, "the function library cannot be read");
  std::set<std::string> names;
  for (const auto& function : known.function()) names.insert(function.signature().name());
  for (const auto& function : def.library().function())
    if (!names.contains(function.signature().name()))
      raise(Code::kNotFound, "the dataset's function ", function.signature().name(),
            " is not a function of the session's graph");
}

class Nodes {
 public:
  explicit Nodes(const KernelCall& call) : making_(call) {}

  void run(const Node& node) {
    if (node.op().name == "Const") {
      values_[&node] = node.attr<Tensor>("value");
      return;
    }
    std::vector<Tensor> inputs;
    for (const Output& input : node.inputs()) inputs.push_back(value(input));
    KernelNode kernel{.name = node.name(), .op = &node.op(), .attrs = node.attrs()};
    for (int i = 0; i < node.input_count(); ++i) kernel.input_types.push_back(node.input_type(i));
    for (int i = 0; i < node.output_count(); ++i)
      kernel.output_types.push_back(node.output_type(i));
    values_[&node] = making_.output(std::move(kernel), inputs);
  }
  const Tensor& value(const Output& output) const {
    const auto found = values_.find(output.node);
    require(found != values_.end() && output.index == 0, "the graph of a dataset uses ",
            output.name(), " before it is there");
    return found->second;
  }

 private:
  const DatasetMaking making_;
  std::unordered_map<const Node*, Tensor> values_;
};

}  // namespace

DatasetRef dataset_of_graph(const std::string& graph_def, const std::string& library,
                            const KernelCall& call) {
  tensorflow::GraphDef def;
  require(def.ParseFromString(graph_def), "graph_def is no serialized GraphDef");
  check_functions(def, library);
  Graph graph(standard_ops());
  Nodes nodes(call);
  for (const Node* node : import_graph_def(graph, def, {.internal_names = true}).nodes) {
    if (node->op().name == "_Retval") return dataset_in(nodes.value(node->input(0)));
    nodes.run(*node);
  }
  raise(Code::kInvalidArgument, "graph_def has no node that returns the dataset");
}

}  // namespace rill
