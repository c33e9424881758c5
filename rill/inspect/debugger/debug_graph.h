#pragma once

#include <map>
#include <string>
#include <vector>

#include "tensorflow/core/framework/graph.pb.h"

namespace rill::debugger {

// "node" and "slot" of "node:slot"; slot -1 where none is said. A control input's ^ is dropped.
// Throws InvalidArgument for a slot that is no number.
struct NodeOrTensor {
  explicit NodeOrTensor(const std::string& name);
  std::string node;
  int slot = -1;
};

// A device's graph as it was before watches were put in.
tensorflow::GraphDef without_debug_nodes(const tensorflow::GraphDef& graph);
bool is_copy_node(const std::string& name);
bool is_debug_node(const std::string& name);

// What one device ran, without what watches put in: who reads what.
class DebugGraph {
 public:
  DebugGraph(const tensorflow::GraphDef& graph, std::string device);

  struct Node {
    std::string op, device;
    std::vector<std::string> inputs, controls;          // "x", or "x:1"
    std::vector<std::string> readers, control_readers;  // names of nodes
    google::protobuf::Map<std::string, tensorflow::AttrValue> attrs;
  };

  const std::string& device() const { return device_; }
  const std::vector<std::string>& names() const { return names_; }  // in the graph's order
  const Node* find(const std::string& name) const;
  const tensorflow::GraphDef& debug_graph() const { return debug_graph_; }  // with the watches
  const tensorflow::GraphDef& graph() const { return graph_; }

 private:
  std::string device_;
  tensorflow::GraphDef debug_graph_, graph_;
  std::vector<std::string> names_;
  std::map<std::string, Node, std::less<>> nodes_;
};

}  // namespace rill::debugger
