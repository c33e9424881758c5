#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tensorflow/core/framework/graph.pb.h"

namespace tensorflow {
class RunMetadata;
}  // namespace tensorflow

namespace rill::board {

// What a traced step took of a node.
struct NodeCost {
  double micros = 0, bytes = 0;
  std::string device = {};
};

// A graph by its name scopes, ready to be looked at again and again with other scopes open.
class GraphModel {
 public:
  explicit GraphModel(tensorflow::GraphDef graph);

  struct Edge {
    int from = 0, to = 0;  // nodes
    int output = 0;        // of `from`; -1 for a control edge
    bool is_control() const { return output < 0; }
  };
  // A scope, or a node: one without children.
  struct Group {
    std::string name, path;
    int parent = -1, depth = 0;
    int node = -1;  // -1 for scopes that are no node themselves
    std::vector<int> children = {};
    int nodes = 0;            // below it, itself included
    std::uint64_t shape = 0;  // equal for scopes that hold the same ops in the same order
    std::string device = {};  // that of all nodes below; "" when they differ
    bool is_scope() const { return !children.empty(); }
  };

  const tensorflow::GraphDef& graph() const { return graph_; }
  const std::vector<Group>& groups() const { return groups_; }  // the first holds all others
  const std::vector<Edge>& edges() const { return edges_; }
  int group_of(int node) const { return group_of_node_[static_cast<std::size_t>(node)]; }
  int group_at(std::string_view path) const;  // -1 when there is none
  int node_named(std::string_view name) const;
  // "2×3" of what a node puts out; "" when nobody has said.
  std::string output_shape(const Edge& edge) const;

  // What the last trace that was given says of nodes, by name.
  static std::unordered_map<std::string, NodeCost> costs(const tensorflow::RunMetadata& metadata);

 private:
  int add_group(std::string_view path);
  void add_edges();
  void sum_up(int group);

  const tensorflow::GraphDef graph_;
  std::vector<Group> groups_;
  std::unordered_map<std::string, int> by_path_, by_name_;
  std::vector<int> group_of_node_;
  std::vector<Edge> edges_;
};

}  // namespace rill::board
