#include <unordered_set>

#include "rill/base/error.h"
#include "rill/graph/graph.h"

namespace rill {

GraphEdit::GraphEdit(Graph& graph)
    : graph_(graph), lock_(graph.mutex_), first_id_(graph.node_count()) {
  const std::lock_guard lock(graph.index_mutex_);
  graph.name_journal_ = &journal_;
}

GraphEdit::~GraphEdit() {
  {
    const std::lock_guard lock(graph_.index_mutex_);
    graph_.name_journal_ = nullptr;
  }
  if (!committed_) roll_back();
}

void GraphEdit::reserve(std::size_t more) {
  const std::size_t all = graph_.nodes_.size() + more;
  const std::lock_guard lock(graph_.index_mutex_);
  graph_.nodes_.reserve(all);
  graph_.by_name_.reserve(all);
  graph_.used_names_.reserve(graph_.used_names_.size() + more);
}

Node& GraphEdit::add(NodeSpec spec, InsertRules rules) {
  return graph_.insert(std::move(spec), rules);
}

void GraphEdit::set_input(Node& node, int index, Output value) {
  graph_.rewire(node, index, value);
}

void GraphEdit::refine_shape(Node& node, int output, const PartialShape& shape) {
  node.shapes_.at(static_cast<std::size_t>(output)) = shape;
}

const Op& GraphEdit::define(Op function) {
  const bool is_op = graph_.registry_.find(function.name) != nullptr;
  require(!is_op && !graph_.functions_.contains(function.name), "Cannot add function '",
          function.name, "' because an op or function with the same name already exists.");
  defined_.push_back(function.name);
  auto& slot = graph_.functions_[function.name];
  slot = std::make_unique<const Op>(std::move(function));
  return *slot;
}

void GraphEdit::roll_back() {
  const std::lock_guard lock(graph_.index_mutex_);
  const auto is_new = [&](const Node* node) { return node->id() >= first_id_; };
  std::unordered_set<Node*> touched;
  for (int id = first_id_; id < graph_.node_count(); ++id) {
    Node& node = graph_.node(id);
    graph_.by_name_.erase(node.name_);
    for (const Output& input : node.inputs_)
      if (input && !is_new(input.node)) touched.insert(input.node);
    for (Node* before : node.control_inputs_)
      if (!is_new(before)) touched.insert(before);
  }
  for (Node* node : touched) std::erase_if(node->consumers_, is_new);
  graph_.nodes_.resize(static_cast<std::size_t>(first_id_));
  graph_.node_count_.store(first_id_, std::memory_order_release);
  for (const std::string& name : defined_) graph_.functions_.erase(name);
  for (auto it = journal_.rbegin(); it != journal_.rend(); ++it) {
    if (it->second == 0) {
      graph_.used_names_.erase(it->first);
    } else {
      graph_.used_names_[it->first] = it->second;
    }
  }
}

}  // namespace rill
