#include "rill/serve/model/op_policy.h"

#include <algorithm>
#include <map>
#include <vector>

#include "rill/base/error.h"
#include "rill/io/saved_model_parts.h"
#include "rill/runtime/saved_model.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill::serve {
namespace {

using tensorflow::AttrValue;
using tensorflow::FunctionDef;
using tensorflow::MetaGraphDef;
using tensorflow::NodeDef;

// By what they reach for.
constexpr const char* kRefused[] = {
    // files, read
    "ReadFile", "MatchingFiles", "LoadAndRemapMatrix", "WholeFileReader", "WholeFileReaderV2",
    "TextLineReader", "TextLineReaderV2", "FixedLengthRecordReader", "FixedLengthRecordReaderV2",
    "TFRecordReader", "TFRecordReaderV2", "LMDBReader", "RecordInput", "TextLineDataset",
    "TFRecordDataset", "FixedLengthRecordDataset", "FixedLengthRecordDatasetV2", "CSVDataset",
    "ExperimentalCSVDataset", "LMDBDataset", "ExperimentalLMDBDataset", "MatchingFilesDataset",
    "ExperimentalMatchingFilesDataset", "SqlDataset", "ExperimentalSqlDataset", "SnapshotDataset",
    "CacheDataset", "CacheDatasetV2", "DatasetFromGraph",
    // files, written
    "WriteFile", "Save", "SaveSlices", "SaveV2", "MergeV2Checkpoints", "CreateSummaryFileWriter",
    "CreateSummaryDbWriter", "DebugIdentity", "DebugIdentityV2", "DebugNanCount",
    "DebugNumericSummary", "PrintV2",
    // the network
    "Rpc", "TryRpc", "_Send", "_Recv", "_HostSend", "_HostRecv",
    // the process
    "PyFunc", "PyFuncStateless", "EagerPyFunc", "Abort"};
// Ops that only loading may run, which gets its paths from us.
constexpr const char* kForLoading[] = {"Restore", "RestoreSlice", "RestoreV2",
                                       "InitializeTableFromTextFile",
                                       "InitializeTableFromTextFileV2"};

bool contains(std::span<const char* const> ops, const std::string& op) {
  return std::ranges::any_of(ops, [&](const char* known) { return op == known; });
}

// "a" of "a:1" and "^a".
std::string node_of(const std::string& input) {
  std::string name = input.starts_with('^') ? input.substr(1) : input;
  return name.substr(0, name.find(':'));
}

// Everything that can run when something runs.
class Walk {
 public:
  Walk(const MetaGraphDef& graph,
       const std::function<void(const NodeDef&, const std::string&)>& see)
      : see_(see) {
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
    for (const auto& [name, value] : node.attr()) {
      call(value.func().name());
      for (const auto& each : value.list().func()) call(each.name());
    }
  }
  void call(const std::string& name) {
    const auto function = functions_.find(name);
    if (function != functions_.end() && called_.insert(name).second)
      calls_.push_back(function->second);
  }

  const std::function<void(const NodeDef&, const std::string&)> see_;
  std::map<std::string, const NodeDef*> nodes_;
  std::map<std::string, const FunctionDef*> functions_;
  std::set<std::string> seen_, called_;
  std::vector<const FunctionDef*> calls_;
};

bool is_for_loading(const std::string& signature) {
  return signature == saved_model::kInitOpSignature || signature == saved_model::kTrainOpSignature;
}

std::vector<std::string> loading_targets(const MetaGraphDef& graph) {
  std::vector<std::string> targets{graph.saver_def().restore_op_name()};
  for (const char* key : {saved_model::kMainOpKey, saved_model::kLegacyInitOpKey})
    if (const auto found = graph.collection_def().find(key); found != graph.collection_def().end())
      for (const std::string& name : found->second.node_list().value()) targets.push_back(name);
  if (const auto init = graph.signature_def().find(saved_model::kInitOpSignature);
      init != graph.signature_def().end())
    for (const auto& [name, info] : init->second.outputs()) targets.push_back(info.name());
  return targets;
}

std::vector<std::string> request_targets(const MetaGraphDef& graph) {
  std::vector<std::string> targets;
  for (const auto& [key, signature] : graph.signature_def()) {
    if (is_for_loading(key)) continue;
    for (const auto& [name, tensor] : saved_model::tensor_names(signature.outputs()))
      targets.push_back(tensor);
  }
  return targets;
}

}  // namespace

OpPolicy::OpPolicy(const std::string& allowed) {
  for (const std::string_view item : split(allowed, ',')) {
    if (item.empty()) continue;
    const std::string op(item.substr(item.find(':') == item.npos ? 0 : item.find(':') + 1));
    require(contains(kRefused, op) || contains(kForLoading, op), "--allowed_ops: ", op,
            " is not an op that is refused");
    allowed_.emplace(item);
  }
}

void OpPolicy::check(const ServableId& id, const MetaGraphDef& graph) const {
  const auto refuse = [&](const NodeDef& node, const std::string& function, bool loading) {
    const std::string& op = node.op();
    if (!contains(kRefused, op) && (loading || !contains(kForLoading, op))) return;
    if (allowed_.contains(op) || allowed_.contains(str_cat(id.name, ":", op))) return;
    raise(Code::kPermissionDenied, "Model ", id, " would run ", op, " in node ", node.name(),
          function.empty() ? "" : str_cat(" of function ", function),
          ", which is not allowed: ", "--allowed_ops=", id.name, ":", op, " would allow it");
  };
  Walk loading(graph, [&](const NodeDef& node, const std::string& f) { refuse(node, f, true); });
  for (const std::string& target : loading_targets(graph)) loading.from(target);
  Walk asking(graph, [&](const NodeDef& node, const std::string& f) { refuse(node, f, false); });
  for (const std::string& target : request_targets(graph)) asking.from(target);
}

}  // namespace rill::serve
