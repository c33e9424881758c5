#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rill/graph/node.h"
#include "rill/graph/registry.h"

namespace rill {

inline constexpr int kGraphDefVersion = 134;  // TensorFlow 1.15's producer and consumer version

struct GraphVersions {
  int producer = kGraphDefVersion;
  int min_consumer = 0;
  std::vector<int> bad_consumers;
};

// What to add. Attributes that inputs determine and those with defaults may be left out.
struct NodeSpec {
  std::string op;
  std::string name;            // must be valid and new: see Graph::unique_name
  std::vector<Output> inputs;  // list arguments flattened
  std::vector<Node*> control_inputs;
  AttrMap attrs;
  std::string device;
  OriginRef origin;
};

// A graph of nodes under construction; every node is checked against its declaration and its shapes
// are inferred as it is added. Adding is safe from several threads; sessions read what they run
// under `mutex()`. Nodes are never removed.
class Graph {
 public:
  explicit Graph(const Registry& registry) : registry_(registry) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const Registry& registry() const { return registry_; }

  // Throws InvalidArgument (naming op, argument, expected and got), NotFound for an unknown op, or
  // FailedPrecondition when finalised; the graph is then unchanged.
  Node& add(NodeSpec spec);
  // Back edges of loops: an input that is given after the node was made, or changed.
  void set_input(Node& node, int index, Output value);
  void add_control_input(Node& node, Node& before);
  void set_attr(Node& node, std::string_view name, AttrValue value);
  void set_device(Node& node, std::string device);
  // Narrows what is known of an output's shape; throws InvalidArgument on a contradiction.
  void refine_shape(Output output, const PartialShape& shape);

  Node* find(std::string_view name) const;
  Node& at(std::string_view name) const;       // throws NotFound
  Output tensor(std::string_view name) const;  // "node:0"; throws InvalidArgument or NotFound
  int node_count() const { return static_cast<int>(nodes_.size()); }
  Node& node(int id) const { return *nodes_.at(static_cast<std::size_t>(id)); }
  std::vector<Node*> nodes() const;  // in order of creation

  // The name that `full_name` becomes: itself when new, else with the lowest free "_k" appended.
  // `reserve` marks the result as used. Names are unique regardless of case.
  std::string unique_name(std::string_view full_name, bool reserve = true);

  void finalize() { finalized_ = true; }
  void unsafe_unfinalize() { finalized_ = false; }
  bool finalized() const { return finalized_; }

  GraphVersions versions;
  std::string function_library;  // a serialised FunctionDefLibrary, kept as imported
  std::int64_t seed = -1;        // graph-level random seed; -1: not set

  std::shared_mutex& mutex() const { return mutex_; }

 private:
  void infer(Node& node);
  const Registry& registry_;
  mutable std::shared_mutex mutex_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::unordered_map<std::string_view, Node*> by_name_;
  std::unordered_map<std::string, int> used_names_;
  bool finalized_ = false;
};

bool is_valid_node_name(std::string_view name);
bool is_valid_scope_name(std::string_view name);

// What can be told of a tensor before running: the value of a constant (through identities and,
// for shapes of known tensors, Shape/Size/Rank), else nullptr; and a shape-valued tensor as a
// shape.
const Tensor* constant_value(Output output);
PartialShape constant_shape_value(Output output);

}  // namespace rill
