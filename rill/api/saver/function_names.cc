#include "rill/api/saver/function_names.h"

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/graph/function.h"
#include "rill/graph/graph_def.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::saved_model {
namespace {

using Names = std::map<std::string, std::string>;

void rename(std::string* name, const Names& names) {
  if (const auto found = names.find(*name); found != names.end()) *name = found->second;
}

void rename_attrs(google::protobuf::Map<std::string, tensorflow::AttrValue>* attrs,
                  const Names& names) {
  for (auto& [key, value] : *attrs) {
    if (value.has_func()) rename(value.mutable_func()->mutable_name(), names);
    if (!value.has_list()) continue;  // asking for it would make one
    for (tensorflow::NameAttrList& function : *value.mutable_list()->mutable_func())
      rename(function.mutable_name(), names);
  }
}

void rename(tensorflow::FunctionDef& function, const Names& names) {
  rename(function.mutable_signature()->mutable_name(), names);
  for (tensorflow::NodeDef& node : *function.mutable_node_def()) {
    rename(node.mutable_op(), names);
    rename_attrs(node.mutable_attr(), names);
  }
}

Names with_ending(const tensorflow::FunctionDefLibrary& library, const std::string& ending) {
  Names names;
  for (const tensorflow::FunctionDef& function : library.function())
    names[function.signature().name()] = function.signature().name() + ending;
  return names;
}

bool any_taken(const Graph& graph, const Names& names) {
  for (const auto& [old_name, name] : names)
    if (graph.functions()->find(name)) return true;
  return false;
}

}  // namespace

std::map<std::string, AddedFunction> add_functions(Graph& graph,
                                                   tensorflow::FunctionDefLibrary library,
                                                   int producer,
                                                   const tensorflow::OpList& producer_ops) {
  Names names = with_ending(library, "");
  for (int number = 1; any_taken(graph, names); ++number)
    names = with_ending(library, str_cat("_", number));
  std::map<std::string, AddedFunction> added;
  for (tensorflow::FunctionDef& function : *library.mutable_function()) {
    AddedFunction& known = added[function.signature().name()];
    known.name = names.at(function.signature().name());
    for (const auto& output : function.signature().output_arg())
      known.results.push_back(dtype_from_proto(output.type()));
    rename(function, names);
  }
  for (tensorflow::GradientDef& gradient : *library.mutable_gradient()) {
    rename(gradient.mutable_function_name(), names);
    rename(gradient.mutable_gradient_func(), names);
  }
  tensorflow::GraphDef def;
  *def.mutable_library() = std::move(library);
  def.mutable_versions()->set_producer(producer);
  import_graph_def(graph, def, {.producer_ops = &producer_ops});
  return added;
}

}  // namespace rill::saved_model
