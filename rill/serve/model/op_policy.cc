#include "rill/serve/model/op_policy.h"

#include <algorithm>
#include <filesystem>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/serve/model/op_walk.h"

namespace rill::serve {
namespace {

using tensorflow::MetaGraphDef;
using tensorflow::NodeDef;

// By what they reach for.
constexpr const char* kRefused[] = {
    // files, read
    "ReadFile", "MatchingFiles", "LoadAndRemapMatrix", "GenerateVocabRemapping", "WholeFileReader",
    "WholeFileReaderV2", "TextLineReader", "TextLineReaderV2", "FixedLengthRecordReader",
    "FixedLengthRecordReaderV2", "TFRecordReader", "TFRecordReaderV2", "LMDBReader", "RecordInput",
    "TextLineDataset", "TFRecordDataset", "FixedLengthRecordDataset", "FixedLengthRecordDatasetV2",
    "CSVDataset", "ExperimentalCSVDataset", "LMDBDataset", "ExperimentalLMDBDataset",
    "MatchingFilesDataset", "ExperimentalMatchingFilesDataset", "SqlDataset",
    "ExperimentalSqlDataset", "SnapshotDataset", "CacheDataset", "CacheDatasetV2",
    "DatasetFromGraph", "ImmutableConst", "Skipgram",
    // files, written
    "WriteFile", "Save", "SaveSlices", "SaveV2", "MergeV2Checkpoints", "CreateSummaryFileWriter",
    "CreateSummaryDbWriter", "DebugIdentity", "DebugIdentityV2", "DebugNanCount",
    "DebugNumericSummary", "PrintV2", "DatasetToTFRecord", "ExperimentalDatasetToTFRecord",
    // the network
    "Rpc", "TryRpc",
    // the process
    "PyFunc", "PyFuncStateless", "EagerPyFunc", "Abort"};
// The runtime puts them into graphs itself; models must not.
constexpr const char* kOfTheRuntime[] = {"_Send", "_Recv", "_HostSend", "_HostRecv"};
// Ops that only loading may run, on the model's own files.
constexpr const char* kForLoading[] = {"Restore", "RestoreSlice", "RestoreV2",
                                       "InitializeTableFromTextFile",
                                       "InitializeTableFromTextFileV2"};
// Ops that read a file when an attribute names one.
struct NamesFile {
  const char* op;
  const char* attr;
  bool (*names_file)(const std::string& value);
};
bool is_file(const std::string& name) { return !name.empty(); }
bool is_descriptor_file(const std::string& source) {
  return !source.empty() && source != "local://" && !source.starts_with("bytes://");
}
constexpr NamesFile kNamingFiles[] = {{"FixedUnigramCandidateSampler", "vocab_file", is_file},
                                      {"DecodeProtoV2", "descriptor_source", is_descriptor_file},
                                      {"EncodeProto", "descriptor_source", is_descriptor_file}};

bool contains(std::span<const char* const> ops, const std::string& op) {
  return std::ranges::any_of(ops, [&](const char* known) { return op == known; });
}

// An attribute that is not there has a default, and no default names a file.
std::string text_attr(const NodeDef& node, const char* name) {
  const auto found = node.attr().find(name);
  return found == node.attr().end() ? "" : found->second.s();
}
std::string text_attr(const KernelNode& node, const char* name) {
  const auto found = node.attrs.find(name);
  const auto* text = found == node.attrs.end() ? nullptr : found->second.get_if<std::string>();
  return text == nullptr ? "" : *text;
}

template <class AnyNode>
bool is_refused(const AnyNode& node, const std::string& op, bool loading) {
  if (contains(kRefused, op) || (!loading && contains(kForLoading, op))) return true;
  const auto naming = std::ranges::find(kNamingFiles, op, &NamesFile::op);
  return naming != std::end(kNamingFiles) && naming->names_file(text_attr(node, naming->attr));
}

bool is_known(const std::string& op) {
  return contains(kRefused, op) || contains(kOfTheRuntime, op) || contains(kForLoading, op) ||
         std::ranges::find(kNamingFiles, op, &NamesFile::op) != std::end(kNamingFiles);
}

[[noreturn]] void refuse(const ServableId& id, const std::string& op, const std::string& node,
                         const std::string& why) {
  raise(Code::kPermissionDenied, "Model ", id, " would run ", op, " in node ", node, why,
        ", which is not allowed: ", "--allowed_ops=", id.name, ":", op, " would allow it");
}

std::filesystem::path resolved(const std::string& path) {
  constexpr std::string_view kScheme = "file://";
  const std::filesystem::path local =
      path.starts_with(kScheme) ? path.substr(kScheme.size()) : path;
  if (!scheme_of(path).empty() && !path.starts_with(kScheme)) return local.lexically_normal();
  std::error_code ignored;
  const auto real = std::filesystem::weakly_canonical(local, ignored);
  return ignored ? std::filesystem::absolute(local, ignored).lexically_normal() : real;
}

}  // namespace

bool lies_within(const std::string& path, const std::string& directory) {
  const auto inner = resolved(path), outer = resolved(directory);
  const auto [end, unused] = std::ranges::mismatch(outer, inner);
  return end == outer.end() || (std::next(end) == outer.end() && end->empty());
}

OpPolicy::OpPolicy(const std::string& allowed) {
  for (const std::string_view item : split(allowed, ',')) {
    if (item.empty()) continue;
    const std::string op(item.substr(item.find(':') == item.npos ? 0 : item.find(':') + 1));
    require(is_known(op), "--allowed_ops: ", op, " is not an op that is refused");
    allowed_.emplace(item);
  }
}

bool OpPolicy::allows(const ServableId& id, const std::string& op) const {
  return allowed_.contains(op) || allowed_.contains(str_cat(id.name, ":", op));
}

void OpPolicy::check(const ServableId& id, const MetaGraphDef& graph) const {
  const auto see = [&](const NodeDef& node, const std::string& function, bool loading) {
    const std::string& op = node.op();
    if (!is_refused(node, op, loading) && !contains(kOfTheRuntime, op)) return;
    if (allows(id, op)) return;
    refuse(id, op, node.name(), function.empty() ? "" : str_cat(" of function ", function));
  };
  walk_loading(graph, [&](const NodeDef& node, const std::string& f) { see(node, f, true); });
  walk_requests(graph, [&](const NodeDef& node, const std::string& f) { see(node, f, false); });
}

void ModelGuard::check_op(const KernelNode& node) const {
  const std::string& op = node.op->name;
  if (is_refused(node, op, loading_) && !policy_->allows(id_, op)) refuse(id_, op, node.name, "");
}

void ModelGuard::check_path(const KernelNode& node, const std::string& path) const {
  const std::string& op = node.op->name;
  if (policy_->allows(id_, op) || (loading_ && lies_within(path, directory_))) return;
  refuse(id_, op, node.name,
         loading_ ? str_cat(" on ", path, ", which is outside of the model's directory") : "");
}

}  // namespace rill::serve
