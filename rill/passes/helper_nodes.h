#pragma once

#include <map>
#include <memory>
#include <string>

#include "rill/graph/graph.h"

namespace rill {

// Makes nodes that are not the program's, for rewrites and partitions, in a graph of their own.
// Only their op, attributes and input types count: the edges are those of the items that use them.
class HelperNodes {
 public:
  explicit HelperNodes(const Registry& registry)
      : graph_(std::make_unique<Graph>(registry)), edit_(std::make_unique<GraphEdit>(*graph_)) {}

  const Node& add(std::string op, const std::string& name, std::vector<Output> inputs,
                  AttrMap attrs, const Node& near) {
    return add_named(std::move(op), str_cat(name, "/_", next_name_++), std::move(inputs),
                     std::move(attrs), near);
  }
  // A replacement of `near`, with its name.
  const Node& add_in_place(std::string op, std::vector<Output> inputs, AttrMap attrs,
                           const Node& near) {
    if (graph_->find(near.name()) != nullptr)
      return add(std::move(op), near.name(), std::move(inputs), std::move(attrs), near);
    return add_named(std::move(op), near.name(), std::move(inputs), std::move(attrs), near);
  }
  const Node& add_named(std::string op, std::string name, std::vector<Output> inputs, AttrMap attrs,
                        const Node& near) {
    return edit_->add({.op = std::move(op),
                       .name = std::move(name),
                       .inputs = std::move(inputs),
                       .attrs = std::move(attrs),
                       .origin = near.origin()},
                      {.internal_names = true});
  }
  Output any(DType type, const Node& near) {
    const auto it = values_.find(type);
    if (it != values_.end()) return it->second;
    const Node& node = add("Placeholder", "_value", {}, {{"dtype", type}}, near);
    return values_.emplace(type, Output{const_cast<Node*>(&node), 0}).first->second;
  }
  const Graph& graph() const { return *graph_; }
  static Output output(const Node& node, int index = 0) {
    return {const_cast<Node*>(&node), index};
  }
  std::unique_ptr<Graph> finish() {
    edit_->commit();
    edit_.reset();
    return std::move(graph_);
  }

 private:
  std::unique_ptr<Graph> graph_;
  std::unique_ptr<GraphEdit> edit_;
  std::map<DType, Output> values_;
  int next_name_ = 0;
};

}  // namespace rill
