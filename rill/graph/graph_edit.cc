#include <unordered_set>

#include "rill/base/error.h"
#include "rill/graph/evaluated_value.h"
#include "rill/graph/function.h"
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

void GraphEdit::define(Function function) {
  const std::string name = function.signature.name;
  require(graph_.registry_.find(name) == nullptr, "Cannot add function '", name,
          "' because an op with the same name already exists.");
  if (graph_.functions_->add(std::move(function))) defined_.push_back(name);
}

void GraphEdit::define_gradient(const std::string& function, const std::string& gradient) {
  if (graph_.functions_->add_gradient(function, gradient)) gradients_.push_back(function);
}

void GraphEdit::roll_back() {
  const std::lock_guard lock(graph_.index_mutex_);
  const auto is_new = [&](const Node* node) { return node->id() >= first_id_; };
  std::unordered_set<Node*> touched;
  for (int id = first_id_; id < graph_.node_count(); ++id) {
    Node& node = graph_.node(id);
    graph_.by_name_.erase(node.name_);
    for (const Output& input : node.inputs_)
      if (input.node && !is_new(input.node)) touched.insert(input.node);
    for (Node* before : node.control_inputs_)
      if (!is_new(before)) touched.insert(before);
  }
  for (Node* node : touched) std::erase_if(node->consumers_, is_new);
  forget_all_evaluated(graph_);
  graph_.nodes_.resize(static_cast<std::size_t>(first_id_));
  graph_.node_count_.store(first_id_, std::memory_order_release);
  for (const std::string& name : defined_) graph_.functions_->remove(name);
  for (const std::string& name : gradients_) graph_.functions_->remove_gradient(name);
  for (auto it = journal_.rbegin(); it != journal_.rend(); ++it) {
    if (it->second == 0) {
      graph_.used_names_.erase(it->first);
    } else {
      graph_.used_names_[it->first] = it->second;
    }
  }
}

}  // namespace rill
