#include <algorithm>

#include "rill/inspect/profiler/tree_view.h"

namespace rill::profiler {
namespace {

// Inputs are below their readers; one that has several is below the first.
class InputTree {
 public:
  InputTree(const ProfiledModel& model, const Filter& filter) : model_(model), filter_(filter) {}

  RowPtr make() {
    auto root = std::make_unique<Row>();
    root->name = kRootName;
    root->types = {"_TFGraphParent"};
    std::set<std::string> read;
    for (const auto& [name, node] : model_.nodes())
      for (const auto& [index, input] : node.inputs) read.insert(input.name);
    for (const auto& [name, node] : model_.nodes())
      if (!read.count(name)) add(node, root.get());
    for (const auto& [name, node] : model_.nodes()) add(node, root.get());  // loops nobody reads
    return root;
  }

 private:
  // With a stack of its own: a chain of inputs may be as long as the graph.
  void add(const ProfiledNode& first, Row* root) {
    if (!seen_.insert(first.name).second) return;
    struct Open {
      const ProfiledNode* node;
      Row* row;
      std::map<int, ProfiledNode::Input>::const_iterator next;
    };
    std::vector<Open> open{{&first, row_below(first, root), first.inputs.begin()}};
    while (!open.empty()) {
      Open& top = open.back();
      if (top.next == top.node->inputs.end()) {
        open.pop_back();
        continue;
      }
      const auto input = model_.nodes().find((top.next++)->second.name);
      if (input == model_.nodes().end() || !seen_.insert(input->first).second) continue;
      const ProfiledNode& node = input->second;
      Row* row = row_below(node, open[std::min(open.size(), kDeepest) - 1].row);
      open.push_back({&node, row, node.inputs.begin()});
    }
  }

  Row* row_below(const ProfiledNode& node, Row* parent) {
    auto row = std::make_unique<Row>();
    row->name = node.name;
    row->nodes = {&node};
    row->types = node.types;
    row->own = node.figures(filter_.options().step);
    row->is_accounted = filter_.accounts(node.types);
    parent->children.push_back(std::move(row));
    return parent->children.back().get();
  }

  const ProfiledModel& model_;
  const Filter& filter_;
  std::set<std::string> seen_;
};

}  // namespace

RowPtr graph_view(const ProfiledModel& model, const ProfileOptions& options) {
  const Filter filter(options);
  return shown_tree(InputTree(model, filter).make(), filter, {.keeps_uncounted = false});
}

}  // namespace rill::profiler
