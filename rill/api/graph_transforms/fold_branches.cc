// Transforms that decide what is decided once only inference is left: which branch of a tf.cond is
// taken, and which value a placeholder with a default has.
#include <algorithm>
#include <unordered_set>

#include "rill/api/graph_transforms/graph_editor.h"
#include "rill/api/graph_transforms/transforms.h"
#include "rill/base/error.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

std::string tensor_name(std::string_view node, int output) { return str_cat(node, ":", output); }

bool is_switch(const NodeDef& node) { return node.op() == "Switch" || node.op() == "RefSwitch"; }
bool is_merge(const NodeDef& node) { return node.op() == "Merge" || node.op() == "RefMerge"; }

NodeDef identity_of(const std::string& input, const NodeDef& node) {
  NodeDef identity;
  identity.set_op("Identity");
  identity.add_input(input);
  if (const auto type = node.attr().find("T"); type != node.attr().end())
    (*identity.mutable_attr())["T"] = type->second;
  return identity;
}

class BranchFolder {
 public:
  BranchFolder(GraphDef graph, const Context& context)
      : editor_(std::move(graph), context.kept()) {}

  // Nodes stand behind what they read, but for the way back of loops. False: an output is on a
  // branch that is never taken, and nothing may be changed.
  bool find_dead() {
    for (const NodeDef* node : editor_.nodes()) {
      if (is_dead(*node))
        dead_.insert(node->name());
      else if (const auto taken = taken_branch(*node))
        dead_tensors_.insert(tensor_name(node->name(), 1 - *taken));
      seen_.insert(node->name());
      if (dead_.contains(node->name()) && editor_.is_kept(*node)) return false;
    }
    return true;
  }

  GraphDef fold() {
    const std::vector<NodeDef*> nodes = editor_.nodes();
    for (NodeDef* node : nodes)
      if (!dead_.contains(node->name()) && is_merge(*node)) fold_merge(*node);
    for (NodeDef* node : nodes)
      if (!dead_.contains(node->name())) pass_switches(*node);
    for (NodeDef* node : nodes)
      if (dead_.contains(node->name())) editor_.remove(*node);
    for (NodeDef* node : nodes)
      if (editor_.find(node->name()) == node && taken_branch(*node)) editor_.remove_if_unused(node);
    return editor_.finish();
  }

 private:
  // Of a Switch on a constant: the output that has a value.
  std::optional<int> taken_branch(const NodeDef& node) const {
    if (!is_switch(node) || node.input_size() < 2) return std::nullopt;
    const auto condition = editor_.constant(node.input(1));
    if (!condition || condition->dtype() != DType::boolean || condition->element_count() != 1)
      return std::nullopt;
    return *condition->data<bool>() ? 1 : 0;
  }

  bool is_dead_input(const std::string& input) const {
    if (dead_.contains(std::string(node_of(input)))) return true;
    return !is_control(input) &&
           dead_tensors_.contains(tensor_name(node_of(input), output_of(input)));
  }

  bool is_dead(const NodeDef& node) const {
    if (!is_merge(node))
      return std::ranges::any_of(node.input(),
                                 [&](const auto& input) { return is_dead_input(input); });
    bool any = false;
    for (const std::string& input : node.input()) {
      if (is_control(input) || !seen_.contains(std::string(node_of(input)))) continue;
      if (!is_dead_input(input)) return false;
      any = true;
    }
    return any;
  }

  // One input is left: the Merge passes that on.
  void fold_merge(NodeDef& node) {
    std::vector<int> alive;
    for (int i = 0; i < node.input_size(); ++i)
      if (!is_control(node.input(i)) && !is_dead_input(node.input(i))) alive.push_back(i);
    if (alive.size() != 1 || !editor_.only_first_output_is_read(node)) return;
    NodeDef identity = identity_of(node.input(alive[0]), node);
    editor_.replace(node, std::move(identity));
  }

  // What a Switch on a constant passes on comes from where the Switch has it.
  void pass_switches(NodeDef& node) {
    for (int i = 0; i < node.input_size(); ++i) {
      const NodeDef* from = editor_.find(node.input(i));
      while (from != nullptr && taken_branch(*from)) {
        const std::string data = from->input(0);
        editor_.set_input(node, i, is_control(node.input(i)) ? str_cat("^", node_of(data)) : data);
        from = editor_.find(data);
      }
    }
  }

  GraphEditor editor_;
  std::unordered_set<std::string> dead_, dead_tensors_, seen_;
};

// Nobody need wait for what is there from the start.
bool is_there_at_once(const GraphEditor& editor, const NodeDef* node) {
  const NodeDef* const first = node;
  while (node != nullptr && node->op() == "Identity" && node->input_size() == 1) {
    node = editor.find(node->input(0));
    if (node == first) return false;
  }
  return node != nullptr && node->op() == "Const" && node->input_size() == 0;
}

GraphDef without_idle_waiting(GraphDef graph, const Context& context) {
  GraphEditor editor(std::move(graph), context.kept());
  for (NodeDef* node : editor.nodes())
    for (int i = node->input_size() - 1; i >= 0; --i)
      if (is_control(node->input(i)) && is_there_at_once(editor, editor.find(node->input(i))))
        editor.remove_input(*node, i);
  return editor.finish();
}

}  // namespace

GraphDef fold_branches(GraphDef graph, const Context& context) {
  GraphDef sorted = sort_by_execution_order(std::move(graph), context);
  BranchFolder folder(sorted, context);
  if (folder.find_dead()) sorted = folder.fold();
  return without_idle_waiting(std::move(sorted), context);
}

GraphDef use_defaults(GraphDef graph, const Context& context) {
  const Names kept = context.kept();
  for (NodeDef& node : *graph.mutable_node()) {
    if (node.op() != "PlaceholderWithDefault" || node.input_size() == 0 ||
        std::ranges::find(kept, node.name()) != kept.end())
      continue;
    const tensorflow::AttrValue type =
        node.attr().contains("dtype") ? node.attr().at("dtype") : tensorflow::AttrValue();
    node.set_op("Identity");
    node.mutable_attr()->clear();
    (*node.mutable_attr())["T"] = type;
  }
  return graph;
}

}  // namespace rill::graph_transforms
