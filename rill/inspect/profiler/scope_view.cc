#include "rill/inspect/profiler/tree_view.h"

namespace rill::profiler {
namespace {

// "a/b/c" is below "a/b", which is made up where no node has that name.
class ScopeTree {
 public:
  ScopeTree(const ProfileOptions& options, const Filter& filter)
      : options_(options), filter_(filter), root_(std::make_unique<Row>()) {
    root_->name = kRootName;
    root_->types = {"_kTFScopeParent"};
    root_->own.definition_count = 0;
  }

  void add(const ProfiledNode& node) {
    Row& row = row_of(node.name);
    row.nodes = {&node};
    row.types = node.types;
    row.own = node.figures(options_.step);
    row.is_accounted = filter_.accounts(row.types);
  }

  RowPtr take() { return std::move(root_); }

 private:
  Row& row_of(const std::string& name) {
    if (const auto it = rows_.find(name); it != rows_.end()) return *it->second;
    const auto slash = end_of_parent(name);
    Row& parent = slash == std::string::npos ? *root_ : row_of(name.substr(0, slash));
    parent.children.push_back(std::make_unique<Row>());
    Row& row = *parent.children.back();
    row.name = name;
    row.types = {"_kTFScopeParent"};
    row.own.definition_count = 1;
    row.is_accounted = filter_.accounts(row.types);
    return *(rows_[name] = &row);
  }

  // The last slash, or the one at which a name is deep enough; npos where there is none.
  static std::size_t end_of_parent(const std::string& name) {
    std::size_t end = std::string::npos, at = name.find('/');
    for (std::size_t depth = 0; at != std::string::npos && depth < kDeepest; ++depth) {
      end = at;
      at = name.find('/', at + 1);
    }
    return end;
  }

  const ProfileOptions& options_;
  const Filter& filter_;
  RowPtr root_;
  std::map<std::string, Row*> rows_;
};

}  // namespace

RowPtr scope_view(const ProfiledModel& model, const ProfileOptions& options) {
  const Filter filter(options);
  ScopeTree tree(options, filter);
  for (const auto& [name, node] : model.nodes()) tree.add(node);
  return shown_tree(tree.take(), filter);
}

}  // namespace rill::profiler
