#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/graph/attr.h"
#include "rill/graph/known_value.h"
#include "rill/graph/node_ptr.h"
#include "rill/graph/op.h"

namespace rill {

class Graph;
class Node;
class FlowContext;
struct IndexPart;

// One output of a node: the address of a tensor in a graph, not its value. Prints as "name:index".
// An empty one has no node. It is valid as long as the graph is; afterwards, and of an empty one,
// the methods throw FailedPrecondition. An output of an eager graph has a value, which it keeps
// alive.
struct Output {
  Output() = default;
  inline Output(NodePtr at, int i);

  NodePtr node;
  int index = 0;

  // A tensor of a graph is neither true nor false: the graph chooses with cond() and where(). Ask
  // `.node` whether there is one.
  explicit operator bool() const = delete;
  DType dtype() const;  // may be a reference type
  const PartialShape& shape() const;
  std::string name() const;
  const Tensor& value() const;  // only of an eager graph
  // Says what the program knows of the shape; throws InvalidArgument where that cannot be.
  void set_shape(const PartialShape& shape) const;
  bool is_alive() const;     // false once the graph is gone
  void check_alive() const;  // throws FailedPrecondition when the graph is gone
  // x[i], x[SliceRange{1, 3}], x[{Ellipsis{}, -1}] as in Python; api/core/slicing.h.
  Output operator[](const IndexPart& part) const;
  Output operator[](std::initializer_list<IndexPart> parts) const;

  friend bool operator==(const Output& a, const Output& b) {
    return a.node == b.node && a.index == b.index;
  }

 private:
  std::uint32_t graph_life_ = 0;
};
inline std::string to_text(const Output& output) { return output.name(); }
struct OutputHash {
  std::size_t operator()(const Output& o) const {
    return std::hash<const void*>()(o.node.get()) * 31 + static_cast<std::size_t>(o.index + 1);
  }
};

// Where the program made a node: the innermost frame first.
struct Frame {
  std::string file, function;
  int line = 0;
};
struct Origin {
  std::vector<Frame> frames;
  std::optional<std::source_location> place = {};  // of programs in C++
};
using OriginRef = std::shared_ptr<const Origin>;

// What is known of the value behind a resource handle.
struct HandleInfo {
  DType dtype = DType::invalid;
  PartialShape shape;
};

// A node of a graph. Graph makes and owns it; its address is stable for the graph's life. Of an
// eager graph it is an op that has been executed (executed_node.h), and belongs to its holders.
class Node {
 public:
  // Operations are known by their address: `auto& train = optimizer.minimize(loss)`.
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  int id() const { return id_; }  // position of creation, never reused
  const std::string& name() const { return name_; }
  const Op& op() const { return *op_; }
  Graph& graph() const { return *graph_; }
  const std::string& device() const { return device_; }  // as requested, not as placed
  const AttrMap& attrs() const { return *attrs_; }
  template <class T>
  const T& attr(std::string_view name) const {
    return rill::attr<T>(*attrs_, name);
  }
  const OriginRef& origin() const { return origin_; }

  int input_count() const { return static_cast<int>(inputs().size()); }
  // Throws std::out_of_range, as all functions with an index do, for what is not there.
  Output input(int i) const { return inputs().at(static_cast<std::size_t>(i)); }
  // An executed node has none, unless a tape has recorded it.
  const std::vector<Output>& inputs() const { return executed_ ? recorded_inputs() : inputs_; }
  DType input_type(int i) const { return input_types_.at(static_cast<std::size_t>(i)); }
  // Nodes that must have run before this one, besides those it reads; each once.
  const std::vector<Node*>& control_inputs() const { return control_inputs_; }

  int output_count() const { return static_cast<int>(output_types_.size()); }
  Output output(int i = 0) { return {this, i}; }
  DType output_type(int i) const { return output_types_.at(static_cast<std::size_t>(i)); }
  const PartialShape& output_shape(int i) const { return shapes_.at(static_cast<std::size_t>(i)); }
  const HandleInfo* output_handle(int i) const;  // nullptr when nothing is known

  // What is known of an output's value before anything runs; nullptr when nothing is.
  const KnownValueRef& known_value_ref(int i) const;
  const KnownValue* known_value(int i) const { return known_value_ref(i).get(); }

  // The branch or loop that the node is part of; nullptr outside of all (flow_context.h).
  FlowContext* flow() const { return flow_; }
  // What is inside a branch or loop has no single value in a step: programs may not ask for it, and
  // what is inside a loop they may not replace either.
  bool is_fetchable() const { return fetchable_; }
  bool is_feedable() const { return feedable_; }

  // Nodes that read an output of this one or wait for it; a reader appears once for each edge. Of
  // executed nodes nobody knows.
  const std::vector<Node*>& consumers() const { return consumers_; }
  bool is_executed() const { return executed_; }

 private:
  friend class Graph;
  friend class GraphEdit;
  friend class ExecutedNode;
  friend struct Output;
  Node() = default;
  const std::vector<Output>& recorded_inputs() const;

  int id_ = -1;
  std::uint32_t graph_life_ = 0;
  Graph* graph_ = nullptr;
  std::string name_, device_;
  const Op* op_ = nullptr;
  std::shared_ptr<AttrMap> attrs_;  // calls of one kernel share them
  OriginRef origin_;
  std::vector<Output> inputs_;
  std::vector<DType> input_types_;  // what the op expects: may be a value where a ref comes in
  std::vector<Node*> control_inputs_;
  std::vector<DType> output_types_;
  std::vector<PartialShape> shapes_;
  std::vector<HandleInfo> handles_;
  std::vector<KnownValueRef> known_;
  std::vector<Node*> consumers_;
  FlowContext* flow_ = nullptr;
  bool fetchable_ = true, feedable_ = true, executed_ = false;
};

inline NodePtr::NodePtr(Node* node) : bits_(reinterpret_cast<std::uintptr_t>(node)) {
  if (node == nullptr || !node->is_executed()) return;
  bits_ |= kCounted;
  add_holder(*node);
}

inline Output::Output(NodePtr at, int i) : node(std::move(at)), index(i) {
  if (const Node* made_by = node.get()) graph_life_ = made_by->graph_life_;
}

}  // namespace rill
