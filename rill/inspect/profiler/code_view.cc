#include <algorithm>

#include "rill/base/text.h"
#include "rill/inspect/profiler/tree_view.h"

namespace rill::profiler {
namespace {

// "train.py:12:build"; a long function is cut.
std::string line_name(const CodeLine& line) {
  const auto slash = line.file.rfind('/');
  const std::string file = slash == std::string::npos ? line.file : line.file.substr(slash + 1);
  const std::string function =
      line.function.size() < 20 ? line.function : line.function.substr(0, 17) + "...";
  return str_cat(file, ":", line.line, ":", function);
}

// The node whose gradient this one is part of: "a/gradients/b/MatMul_grad/..." is "b/MatMul"'s.
const ProfiledNode* differentiated(const ProfiledModel& model, const std::string& name) {
  constexpr std::string_view kScope = "gradients/", kSuffix = "_grad/";
  auto scope = name.find(kScope);
  while (scope != std::string::npos && scope > 0 && name[scope - 1] != '/')
    scope = name.find(kScope, scope + 1);
  if (scope == std::string::npos) return nullptr;
  const auto begin = scope + kScope.size(), end = name.find(kSuffix, begin);
  if (end == std::string::npos) return nullptr;
  const auto it = model.nodes().find(name.substr(begin, end - begin));
  return it == model.nodes().end() ? nullptr : &it->second;
}

class CodeTree {
 public:
  CodeTree(const ProfiledModel& model, const Filter& filter)
      : model_(model), filter_(filter), root_(std::make_unique<Row>()) {
    root_->name = kRootName;
  }

  RowPtr make() {
    for (const auto& [name, node] : model_.nodes()) add(node);
    return std::move(root_);
  }

 private:
  void add(const ProfiledNode& node) {
    const ProfiledNode* forward = differentiated(model_, node.name);
    const auto& trace = forward ? forward->trace : node.trace;
    if (trace.empty()) return;
    Row* row = root_.get();
    for (std::size_t i = 0; i < std::min(trace.size(), kDeepest); ++i)
      row = &below(row, line_name(trace[i]) + (forward ? " (gradient)" : ""));
    if (!filter_.accounts(node.types)) return;
    row->is_accounted = row->has_many_nodes = true;
    row->nodes.push_back(&node);
    row->types.insert(node.types.begin(), node.types.end());
    row->own += node.figures(filter_.options().step);
  }

  Row& below(Row* parent, const std::string& name) {
    Row*& row = rows_[{parent, name}];
    if (row) return *row;
    parent->children.push_back(std::make_unique<Row>());
    row = parent->children.back().get();
    row->name = name;
    row->is_accounted = filter_.accounts({"_kTFCodeParent"});
    return *row;
  }

  const ProfiledModel& model_;
  const Filter& filter_;
  RowPtr root_;
  std::map<std::pair<Row*, std::string>, Row*> rows_;
};

}  // namespace

RowPtr code_view(const ProfiledModel& model, const ProfileOptions& options) {
  const Filter filter(options);
  return shown_tree(CodeTree(model, filter).make(), filter,
                    {.drops_trimmed = true, .least_of_totals = true});
}

}  // namespace rill::profiler
