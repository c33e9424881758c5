#include "rill/api/graph_transforms/graph_editor.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::graph_transforms {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

bool flag_attr(const NodeDef& node, const char* name, bool otherwise) {
  const auto found = node.attr().find(name);
  return found == node.attr().end() ? otherwise : found->second.b();
}

NodeDef constant_node(const std::string& name, const Tensor& value) {
  NodeDef node;
  node.set_name(name);
  node.set_op("Const");
  auto& attrs = *node.mutable_attr();
  attrs["dtype"].set_type(static_cast<tensorflow::DataType>(value.dtype()));
  to_proto(value, attrs["value"].mutable_tensor());
  return node;
}

GraphEditor::GraphEditor(GraphDef graph, const std::vector<std::string>& kept)
    : graph_(std::move(graph)) {
  for (NodeDef& node : *graph_.mutable_node()) {
    require(by_name_.emplace(node.name(), &node).second, "Duplicate node names detected for ",
            node.name());
    order_.push_back(&node);
    count(node, 1);
  }
  for (const std::string& name : kept) {
    kept_.emplace(node_of(name));
    ++uses_[std::string(node_of(name))];
  }
}

NodeDef* GraphEditor::find(std::string_view input) const {
  const auto found = by_name_.find(std::string(node_of(input)));
  return found == by_name_.end() ? nullptr : found->second;
}

int GraphEditor::use_count(const NodeDef& node) const {
  const auto found = uses_.find(node.name());
  return found == uses_.end() ? 0 : found->second;
}

bool GraphEditor::only_first_output_is_read(const NodeDef& node) const {
  const auto found = first_output_uses_.find(node.name());
  const int first = found == first_output_uses_.end() ? 0 : found->second;
  return first + (is_kept(node) ? 1 : 0) == use_count(node);
}

std::optional<Tensor> GraphEditor::constant(std::string_view input) const {
  if (is_control(input) || output_of(input) != 0) return std::nullopt;
  const NodeDef* node = find(input);
  if (node == nullptr || node->op() != "Const") return std::nullopt;
  const auto value = node->attr().find("value");
  if (value == node->attr().end() || !value->second.has_tensor()) return std::nullopt;
  return from_proto(value->second.tensor());
}

void GraphEditor::count(const NodeDef& node, int change) {
  for (const std::string& input : node.input()) {
    const std::string from(node_of(input));
    uses_[from] += change;
    if (!is_control(input) && output_of(input) == 0) first_output_uses_[from] += change;
  }
}

void GraphEditor::set_input(NodeDef& node, int index, const std::string& input) {
  count(node, -1);
  node.set_input(index, input);
  count(node, 1);
}

void GraphEditor::remove_input(NodeDef& node, int index) {
  count(node, -1);
  node.mutable_input()->DeleteSubrange(index, 1);
  count(node, 1);
}

NodeDef& GraphEditor::add_before(const NodeDef& place, NodeDef node) {
  const std::string wanted = node.name();
  for (int i = 1; by_name_.contains(node.name()); ++i) node.set_name(str_cat(wanted, "_", i));
  NodeDef* added = graph_.add_node();
  added->Swap(&node);
  by_name_[added->name()] = added;
  before_[&place].push_back(added);
  count(*added, 1);
  return *added;
}

void GraphEditor::replace(NodeDef& node, NodeDef by) {
  count(node, -1);
  by.set_name(node.name());
  by.set_device(node.device());
  for (const std::string& input : node.input())
    if (is_control(input) && std::ranges::find(by.input(), input) == by.input().end())
      by.add_input(input);
  node.Swap(&by);
  count(node, 1);
}

void GraphEditor::remove(NodeDef& node) {
  if (!removed_.insert(&node).second) return;
  count(node, -1);
  by_name_.erase(node.name());
}

void GraphEditor::remove_if_unused(NodeDef* node) {
  if (node == nullptr || removed_.contains(node) || use_count(*node) > 0) return;
  const std::vector<std::string> inputs(node->input().begin(), node->input().end());
  remove(*node);
  for (const std::string& input : inputs) remove_if_unused(find(input));
}

GraphDef GraphEditor::finish() {
  std::vector<NodeDef*> all(static_cast<std::size_t>(graph_.node_size()));
  graph_.mutable_node()->ExtractSubrange(0, graph_.node_size(), all.data());
  const auto place = [&](const auto& self, NodeDef* node) -> void {
    if (const auto found = before_.find(node); found != before_.end())
      for (NodeDef* earlier : found->second) self(self, earlier);
    if (!removed_.contains(node)) graph_.mutable_node()->AddAllocated(node);
  };
  for (NodeDef* node : order_) place(place, node);
  for (const NodeDef* node : removed_) delete node;
  return std::move(graph_);
}

void drop_lost_colocations(GraphDef& graph) {
  std::unordered_set<std::string_view> names;
  for (const NodeDef& node : graph.node()) names.insert(node.name());
  for (NodeDef& node : *graph.mutable_node()) {
    const auto found = node.mutable_attr()->find("_class");
    if (found == node.mutable_attr()->end()) continue;
    auto& wishes = *found->second.mutable_list()->mutable_s();
    for (int i = wishes.size() - 1; i >= 0; --i)
      if (const std::string_view wish = wishes.Get(i);
          wish.starts_with("loc:@") && !names.contains(wish.substr(5)))
        wishes.DeleteSubrange(i, 1);
    if (wishes.empty()) node.mutable_attr()->erase(found);
  }
}

}  // namespace rill::graph_transforms
