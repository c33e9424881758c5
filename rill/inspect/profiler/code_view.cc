#include <algorithm>

#include "rill/base/text.h"
#include "rill/inspect/profiler/view.h"

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

class CodeShower {
 public:
  explicit CodeShower(const Filter& filter) : filter_(filter), options_(filter.options()) {}

  void find_starts(std::vector<RowPtr> rows, std::vector<RowPtr>* starts) const {
    for (RowPtr& row : rows) {
      if (filter_.starts(row->name))
        starts->push_back(std::move(row));
      else
        find_starts(std::move(row->children), starts);
    }
  }

  void sum(Row& row) const {
    std::erase_if(row.children, [&](const RowPtr& child) { return filter_.trims(child->name); });
    row.total = row.own;
    for (const RowPtr& child : row.children) {
      sum(*child);
      row.total += child->total;
    }
    std::erase_if(row.children, [](const RowPtr& child) {
      return !child->is_accounted && child->children.empty();
    });
  }

  std::vector<RowPtr> shown(std::vector<RowPtr> rows, std::int64_t depth) const {
    std::vector<RowPtr> result;
    if (depth >= options_.max_depth) return result;
    for (RowPtr& row : rows) {
      auto below = shown(std::move(row->children), depth + 1);
      row->children.clear();
      if (shows(*row)) {
        row->children = std::move(below);
        sort_rows(options_, &row->children);
        result.push_back(std::move(row));
      } else {
        std::move(below.begin(), below.end(), std::back_inserter(result));
      }
    }
    return result;
  }

 private:
  bool shows(const Row& row) const {
    if (!row.is_accounted) return true;
    return filter_.shows_name(row.name) && filter_.reaches_totals(row.total) &&
           row.total.params >= options_.min_params && row.total.float_ops >= options_.min_float_ops;
  }

  const Filter& filter_;
  const ProfileOptions& options_;
};

}  // namespace

RowPtr code_view(const ProfiledModel& model, const ProfileOptions& options) {
  const Filter filter(options);
  const CodeShower shower(filter);
  RowPtr root = CodeTree(model, filter).make();
  shower.sum(*root);
  std::vector<RowPtr> starts;
  shower.find_starts(std::move(root->children), &starts);
  root->children = shower.shown(std::move(starts), 1);
  sort_rows(options, &root->children);
  return root;
}

}  // namespace rill::profiler
