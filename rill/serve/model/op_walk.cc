#include "rill/serve/model/op_walk.h"

#include <map>
#include <set>
#include <vector>

#include "rill/io/saved_model_parts.h"
#include "rill/runtime/session/saved_model.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill::serve {
namespace {

using tensorflow::FunctionDef;
using tensorflow::MetaGraphDef;
using tensorflow::NodeDef;

// "a" of "a:1" and "^a".
std::string node_of(const std::string& input) {
  std::string name = input.starts_with('^') ? input.substr(1) : input;
  return name.substr(0, name.find(':'));
}

// Everything that can run when something runs.
class Walk {
 public:
  Walk(const MetaGraphDef& graph, const SeeNode& see) : see_(see) {
    for (const NodeDef& node : graph.graph_def().node()) nodes_[node.name()] = &node;
    for (const FunctionDef& function : graph.graph_def().library().function())
      functions_[function.signature().name()] = &function;
  }

  void from(const std::string& tensor) {
    std::vector<std::string> open{node_of(tensor)};
    while (!open.empty()) {
      const auto found = nodes_.find(open.back());
      open.pop_back();
      if (found == nodes_.end() || !seen_.insert(found->first).second) continue;
      visit(*found->second, "");
      for (const std::string& input : found->second->input()) open.push_back(node_of(input));
    }
    while (!calls_.empty()) {
      const FunctionDef& function = *calls_.back();
      calls_.pop_back();
      for (const NodeDef& node : function.node_def()) visit(node, function.signature().name());
    }
  }

 private:
  void visit(const NodeDef& node, const std::string& function) {
    see_(node, function);
    call(node.op());
    for (const auto& [name, value] : node.attr()) follow(value);
  }
  // Functions may be attributes of functions that are attributes.
  void follow(const tensorflow::AttrValue& value) {
    if (value.has_func()) follow(value.func());
    for (const auto& each : value.list().func()) follow(each);
  }
  void follow(const tensorflow::NameAttrList& function) {
    call(function.name());
    for (const auto& [name, value] : function.attr()) follow(value);
  }
  void call(const std::string& name) {
    const auto function = functions_.find(name);
    if (function != functions_.end() && called_.insert(name).second)
      calls_.push_back(function->second);
  }

  const SeeNode& see_;
  std::map<std::string, const NodeDef*> nodes_;
  std::map<std::string, const FunctionDef*> functions_;
  std::set<std::string> seen_, called_;
  std::vector<const FunctionDef*> calls_;
};

bool is_for_loading(const std::string& signature) {
  return signature == saved_model::kInitOpSignature || signature == saved_model::kTrainOpSignature;
}

}  // namespace

void walk_loading(const MetaGraphDef& graph, const SeeNode& see) {
  Walk walk(graph, see);
  walk.from(graph.saver_def().restore_op_name());
  for (const char* key : {saved_model::kMainOpKey, saved_model::kLegacyInitOpKey})
    if (const auto found = graph.collection_def().find(key); found != graph.collection_def().end())
      for (const std::string& name : found->second.node_list().value()) walk.from(name);
  if (const auto init = graph.signature_def().find(saved_model::kInitOpSignature);
      init != graph.signature_def().end())
    for (const auto& [name, info] : init->second.outputs()) walk.from(info.name());
}

void walk_requests(const MetaGraphDef& graph, const SeeNode& see) {
  Walk walk(graph, see);
  for (const auto& [key, signature] : graph.signature_def()) {
    if (is_for_loading(key)) continue;
    for (const auto& [name, tensor] : saved_model::tensor_names(signature.outputs()))
      walk.from(tensor);
  }
}

}  // namespace rill::serve
