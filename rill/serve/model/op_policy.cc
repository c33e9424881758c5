#include "rill/serve/model/op_policy.h"

#include <algorithm>
#include <filesystem>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/ops/register.h"
#include "rill/serve/model/op_walk.h"

namespace rill::serve {
namespace {

using tensorflow::MetaGraphDef;
using tensorflow::NodeDef;

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

// What loading may run, it runs on the model's own files alone (ModelGuard::check_path).
template <class AnyNode>
bool is_refused(const AnyNode& node, const Op& op, bool loading) {
  if (op.has(kReachesOut)) return !(loading && op.has(kForLoading));
  const FileAttr& file = op.file_attr;
  return file.names_file != nullptr && file.names_file(text_attr(node, file.name));
}

// Whether models may not run it, or only some of its nodes.
bool is_restricted(const Op& op) {
  return op.has(kReachesOut | kRuntimeOnly) || op.file_attr.names_file != nullptr;
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
    const Op* const declared = standard_ops().find(op);
    require(declared != nullptr && is_restricted(*declared), "--allowed_ops: ", op,
            " is not an op that is refused");
    allowed_.emplace(item);
  }
}

bool OpPolicy::allows(const ServableId& id, const std::string& op) const {
  return allowed_.contains(op) || allowed_.contains(str_cat(id.name, ":", op));
}

void OpPolicy::check(const ServableId& id, const MetaGraphDef& graph) const {
  const auto see = [&](const NodeDef& node, const std::string& function, bool loading) {
    const Op* const op = standard_ops().find(node.op());
    if (op == nullptr) return;  // a function, or nothing that could run
    if (!is_refused(node, *op, loading) && !op->has(kRuntimeOnly)) return;
    if (allows(id, op->name)) return;
    refuse(id, op->name, node.name(), function.empty() ? "" : str_cat(" of function ", function));
  };
  walk_loading(graph, [&](const NodeDef& node, const std::string& f) { see(node, f, true); });
  walk_requests(graph, [&](const NodeDef& node, const std::string& f) { see(node, f, false); });
}

void ModelGuard::check_op(const KernelNode& node) const {
  // By name, as kernels are found: a function of the graph may be called like an op.
  const Op* const declared = standard_ops().find(node.op->name);
  const Op& op = declared == nullptr ? *node.op : *declared;
  if (is_refused(node, op, loading_) && !policy_->allows(id_, op.name))
    refuse(id_, op.name, node.name, "");
}

void ModelGuard::check_path(const KernelNode& node, const std::string& path) const {
  const std::string& op = node.op->name;
  if (policy_->allows(id_, op) || (loading_ && lies_within(path, directory_))) return;
  refuse(id_, op, node.name,
         loading_ ? str_cat(" on ", path, ", which is outside of the model's directory") : "");
}

}  // namespace rill::serve
