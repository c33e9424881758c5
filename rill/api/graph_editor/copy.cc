#include "rill/api/graph_editor/copy.h"

#include <algorithm>
#include <unordered_set>

#include "rill/base/error.h"
#include "rill/graph/op_traits.h"

namespace rill::graph_editor {
namespace {

std::string with_slash(std::string scope) {
  if (!scope.empty() && !scope.ends_with('/')) scope += '/';
  return scope;
}

class Copier {
 public:
  Copier(std::span<Node* const> nodes, const CopyOptions& options)
      : nodes_(sorted(nodes)),
        options_(options),
        graph_(options.graph != nullptr ? *options.graph : nodes.front()->graph()),
        src_scope_(with_slash(options.src_scope)),
        dst_scope_(with_slash(options.dst_scope)),
        inside_(nodes_.begin(), nodes_.end()) {}

  Copies run() {
    if (!dst_scope_.empty() && !options_.reuse_dst_scope) {
      dst_scope_.pop_back();
      dst_scope_ = graph_.unique_name(dst_scope_) + "/";
    }
    name_copies();
    {
      GraphEdit edit(graph_);
      for (Node* node : nodes_) copy(edit, *node);
      connect(edit);
      edit.commit();
    }
    enter_flows();
    return {std::move(copies_), dst_scope_};
  }

 private:
  static std::vector<Node*> sorted(std::span<Node* const> nodes) {
    std::vector<Node*> result(nodes.begin(), nodes.end());
    std::ranges::sort(result, {}, &Node::id);
    const auto repeated = std::ranges::unique(result);
    result.erase(repeated.begin(), repeated.end());
    return result;
  }

  bool same_graph(const Node& node) const { return &node.graph() == &graph_; }

  std::string new_name(const Node& node) {
    const std::string& name = node.name();
    require(name.starts_with(src_scope_), name, " is not in the scope ", src_scope_);
    return graph_.unique_name(dst_scope_ + name.substr(src_scope_.size()));
  }

  void name_copies() {
    for (const Node* node : nodes_) names_.push_back(new_name(*node));
  }

  // What a copy reads in place of `input`; empty while the node that makes it is not copied yet.
  Output source(GraphEdit& edit, const Output& input) {
    if (const auto it = options_.replacements.find(input); it != options_.replacements.end())
      return it->second;
    if (const auto it = copies_.find(input.node); it != copies_.end())
      return {it->second, input.index};
    if (inside_.contains(input.node)) return {};
    return same_graph(*input.node) ? input : placeholder(edit, input);
  }

  Output placeholder(GraphEdit& edit, const Output& input) {
    Output& made = placeholders_[input];
    if (!made.node) {
      NodeSpec spec{.op = "Placeholder",
                    .name = graph_.unique_name(dst_scope_ + "geph__" + input.node->name() + "_" +
                                               std::to_string(input.index))};
      std::ranges::replace(spec.name.begin() + static_cast<std::ptrdiff_t>(dst_scope_.size()),
                           spec.name.end(), '/', '_');
      spec.attrs = {{"dtype", AttrValue(base_type(input.dtype()))},
                    {"shape", AttrValue(input.shape())}};
      made = edit.add(std::move(spec)).output();
    }
    return made;
  }

  void copy(GraphEdit& edit, const Node& node) {
    NodeSpec spec{.op = node.op().name, .name = names_[copies_.size()]};
    for (int i = 0; i < node.input_count(); ++i) {
      spec.inputs.push_back(source(edit, node.input(i)));
      if (!spec.inputs.back().node) open_.push_back({&node, i});
    }
    for (Node* before : node.control_inputs()) {
      if (const auto it = copies_.find(before); it != copies_.end())
        spec.control_inputs.push_back(it->second);
      else if (same_graph(*before) && !inside_.contains(before))
        spec.control_inputs.push_back(before);
    }
    spec.attrs = node.attrs();
    if (!same_graph(node)) spec.attrs.erase("_class");  // names nodes of the other graph
    spec.device = node.device();
    spec.origin = node.origin();
    copies_.emplace(&node, &edit.add(std::move(spec), {.inputs_later = true}));
  }

  // The back edges of loops.
  void connect(GraphEdit& edit) {
    for (const auto& [node, index] : open_)
      edit.set_input(*copies_.at(node), index, source(edit, node->input(index)));
  }

  // Copies are in the branch or loop of their originals, unless that is itself copied.
  void enter_flows() {
    const bool whole =
        std::ranges::any_of(nodes_, [](const Node* node) { return node->op().has(kControlFlow); });
    for (Node* node : nodes_)
      if (!whole && same_graph(*node) && node->flow() != nullptr)
        graph_.set_flow(*copies_.at(node), node->flow());
  }

  const std::vector<Node*> nodes_;
  const CopyOptions& options_;
  Graph& graph_;
  const std::string src_scope_;
  std::string dst_scope_;
  const std::unordered_set<const Node*> inside_;
  std::vector<std::string> names_;  // of the copies, in the order of nodes_
  std::unordered_map<const Node*, Node*> copies_;
  std::unordered_map<Output, Output, OutputHash> placeholders_;
  std::vector<std::pair<const Node*, int>> open_;
};

}  // namespace

Copies copy_nodes(std::span<Node* const> nodes, const CopyOptions& options) {
  require(!nodes.empty(), "there is nothing to copy");
  return Copier(nodes, options).run();
}

int reroute(Output from, Output to, std::span<Node* const> readers) {
  const std::vector<Node*> all = from.node->consumers();  // which changes meanwhile
  const std::unordered_set<Node*> consumers(all.begin(), all.end());
  int moved = 0;
  for (Node* reader : consumers) {
    if (!readers.empty() && std::ranges::find(readers, reader) == readers.end()) continue;
    for (int i = 0; i < reader->input_count(); ++i)
      if (reader->input(i) == from) {
        from.node->graph().set_input(*reader, i, to);
        ++moved;
      }
  }
  return moved;
}

}  // namespace rill::graph_editor
